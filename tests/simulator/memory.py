"""A store in memory: the port's rules without a database."""

from registry import StoreFault
from registry.store import Fields


class MemoryStore:
    """Holds entries for ever; counts its operations; ``broken`` makes each of them a fault."""

    def __init__(self) -> None:
        self.entries: dict[str, Fields] = {}
        self.shared: dict[str, str | int] = {}
        self.operations: list[str] = []
        self.broken = False

    async def load(self, cnpj: str) -> Fields | None:
        self._count("load")
        return self.entries.get(cnpj)

    async def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        self._count("save")
        self.entries[cnpj] = dict(entry, expires_at=expires_at)

    async def state(self) -> Fields:
        self._count("state")
        return dict(self.shared)

    async def set_state(self, changes: Fields) -> None:
        self._count("set_state")
        self.shared.update(changes)

    async def claim(self, field: str, value: int, at_most: int) -> bool:
        self._count("claim")
        held = self.shared.get(field)
        if isinstance(held, int) and held > at_most:
            return False
        self.shared[field] = value
        return True

    def _count(self, operation: str) -> None:
        self.operations.append(operation)
        if self.broken:
            raise StoreFault
