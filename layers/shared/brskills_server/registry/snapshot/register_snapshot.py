"""The port of the register's snapshot: one monthly edition of the federal register, by number.

A snapshot is built elsewhere and only read here. Another place for it is one new file: a class with these
methods that raises ``StoreFault`` when it cannot be read.
"""

from typing import Protocol

from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany


class RegisterSnapshot(Protocol):
    """What an adapter offers. Both methods block, for a second at most, and are called from many threads.

    A new edition is read within a minute after it replaced the former one.
    """

    def edition(self) -> Edition | None:
        """Return the current edition; ``None`` where there is none (yet)."""

    def find(self, cnpj: str) -> SnapshotCompany | None:
        """Return the rows of a canonical number; ``None`` where the current edition does not have it.

        A row that was in the files and could not be read is empty: the company exists, its record does not.
        Raise ``ValueError`` where what is stored of this company is damaged.
        """
