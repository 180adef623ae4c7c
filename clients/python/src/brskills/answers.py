"""Answers about the account and the service. Names are the API's own."""

from dataclasses import dataclass
from datetime import datetime

__all__ = ["BillingPage", "Component", "IssuedKey", "Month", "Plan", "Plans", "Status", "Usage"]


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


@dataclass(frozen=True, slots=True)
class BillingPage:
    """A page for a person to open, soon: to subscribe, or to change or end a subscription."""

    url: str


@dataclass(frozen=True, slots=True)
class Plan:
    """``limite_mensal`` is ``None`` without a limit, ``preco_usd_mes`` where it is agreed on."""

    id: str
    preco_usd_mes: int | None
    limite_mensal: int | None
    chamadas_por_segundo: int
    por: str
    ritmo_por: str
    ritmo_detalhe: str
    ausencias_gratis: int | None
    inclui: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plans:
    """All plans of the service."""

    planos: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the service, or a source of the register."""

    nome: str
    status: str
    ultimo_sucesso: datetime | None = None
    volta_em: datetime | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """``status``, also of each component: ``operational``, ``degraded`` or ``down``."""

    status: str
    componentes: tuple[Component, ...]
    verificado_em: datetime
