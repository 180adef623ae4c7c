"""A store in memory: the port's rules without a database."""

from collections.abc import Collection
from threading import Lock

from brskills_server.registry.store import Fields, StoreFault
from tests.simulator.clock import Hang

VERBS = frozenset({"load", "load_many", "save", "state", "set_state", "claim"})


class MemoryStore:
    """Holds entries for ever, and lists its operations. Those in ``broken`` fail, those in ``hangs`` hang."""

    def __init__(self) -> None:
        self.entries: dict[str, Fields] = {}
        self.shared: dict[str, str | int] = {}
        self.operations: list[str] = []
        self.broken: Collection[str] = ()
        self.hangs: Collection[str] = ()
        self._lock = Lock()

    def load(self, cnpj: str) -> Fields | None:
        self._count("load")
        return self.entries.get(cnpj)

    def load_many(self, cnpjs: Collection[str]) -> dict[str, Fields]:
        self._count("load_many")
        return {cnpj: self.entries[cnpj] for cnpj in cnpjs if cnpj in self.entries}

    def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        self._count("save")
        self.entries[cnpj] = dict(entry, expires_at=expires_at)

    def state(self) -> Fields:
        self._count("state")
        with self._lock:
            return dict(self.shared)

    def set_state(self, changes: Fields) -> None:
        self._count("set_state")
        with self._lock:
            self.shared.update(changes)

    def claim(self, field: str, value: int, at_most: int) -> bool:
        self._count("claim")
        with self._lock:
            held = self.shared.get(field)
            if isinstance(held, int) and held > at_most:
                return False
            self.shared[field] = value
            return True

    def _count(self, operation: str) -> None:
        self.operations.append(operation)
        if operation in self.broken:
            raise StoreFault
        if operation in self.hangs:
            raise Hang
