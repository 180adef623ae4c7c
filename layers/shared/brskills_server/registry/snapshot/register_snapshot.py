"""The port of our own copy of the federal register: a company by its number, in the month that is in place.

A copy is built elsewhere and only read here. Another place for it is one new file: a class with these
methods that raises ``StoreFault`` when it cannot be read.
"""

from typing import Protocol

from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany

__all__ = ["RegisterSnapshot"]


class RegisterSnapshot(Protocol):
    """What an adapter offers. Both methods block, for a second at most, and are called from many threads.

    A month that is put in the former one's place is read within a minute.
    """

    def edition(self) -> Edition | None:
        """The month that is in place; ``None`` where there is none (yet)."""

    def find(self, cnpj: str) -> SnapshotCompany | None:
        """The rows of a canonical number; ``None`` where the month that is in place does not have it.

        A row that was in the files and could not be read is empty: the company is there, its record is not.
        Raises ``ValueError`` where what is stored of this company is damaged.
        """
