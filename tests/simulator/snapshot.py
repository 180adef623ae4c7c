"""A snapshot of the register with the simulator's companies: those that every monthly dump has."""

from collections.abc import Sequence
from datetime import date

from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany
from brskills_server.registry.store import StoreFault
from tests.register.copy_file import rows_of
from tests.simulator.clock import Hang
from tests.simulator.companies import company, exists

DAY = date(2026, 9, 12)


class SimulatedSnapshot:
    """``is_there``: there may be none (yet). ``broken`` makes it fail, ``hangs`` hang.

    ``rows``: by number, what it says in place of the truth: an establishment's row and its root's.
    """

    def __init__(self) -> None:
        self.is_there = True
        self.broken = self.hangs = False
        self.rows: dict[str, tuple[str, str]] = {}
        self.asked: list[str] = []
        self.frontier: dict[str, str] = {}

    def edition(self) -> Edition | None:
        if self.broken:
            raise StoreFault
        return self._edition() if self.is_there else None

    def _edition(self) -> Edition:
        return Edition(DAY, {"frontier": self.frontier})

    def find(self, cnpj: str) -> SnapshotCompany | None:
        self.asked.append(cnpj)
        if self.hangs:
            raise Hang
        if not exists("receita", cnpj):
            return None
        rows = rows_of(company(cnpj))
        branch, root = self.rows.get(cnpj) or (rows[cnpj], rows[cnpj[:8]])
        return SnapshotCompany(cnpj, branch, root, self._edition())

    def find_many(self, cnpjs: Sequence[str]) -> dict[str, SnapshotCompany]:
        return {cnpj: found for cnpj in cnpjs if (found := self.find(cnpj))}
