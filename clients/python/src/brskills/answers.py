"""Answers about the account. Names are the API's own."""

from dataclasses import dataclass
from datetime import datetime

__all__ = ["IssuedKey", "Month", "Usage"]


@dataclass(frozen=True, slots=True)
class Month:
    """The calls of a past month, as ``2026-10``."""

    mes: str
    chamadas: int


@dataclass(frozen=True, slots=True)
class Usage:
    """The current month (of São Paulo); ``limite`` and ``restantes`` are ``None`` without a limit."""

    plano: str
    mes: str
    chamadas: int
    limite: int | None
    restantes: int | None
    reinicia_em: datetime
    historico: tuple[Month, ...] = ()


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A new key, which is shown this once. ``id`` is the account's, for support."""

    api_key: str
    id: str
    plano: str
    limite_mensal: int | None

    def __repr__(self) -> str:
        return f"IssuedKey(id={self.id!r}, plano={self.plano!r})"  # keys do not belong into logs
