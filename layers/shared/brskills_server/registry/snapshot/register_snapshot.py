"""The port of the register's snapshot: one monthly edition of the federal register, read only."""

from collections.abc import Sequence
from typing import Protocol

from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany


class RegisterSnapshot(Protocol):
    """A snapshot whose methods block for a second at most, are called from many threads, and may raise
    ``StoreFault``. A new edition is read within a minute."""

    def edition(self) -> Edition | None:
        """Return the current edition; ``None`` where there is none (yet)."""

    def find(self, cnpj: str) -> SnapshotCompany | None:
        """Return the rows of a canonical number; ``None`` where the current edition does not have it.

        A row that was in the files and could not be read is empty: the company exists, its record does not.
        Raise ``ValueError`` where what is stored of this company is damaged.
        """

    def find_many(self, cnpjs: Sequence[str]) -> dict[str, SnapshotCompany]:
        """Return by number what `find` does. Raise ``ValueError`` where one of them is damaged."""
