"""Answers about the account and the service. Names are the API's own."""

from dataclasses import dataclass
from datetime import datetime

__all__ = [
    "BillingPage",
    "Component",
    "Contact",
    "Day",
    "DemoDay",
    "IssuedKey",
    "Month",
    "Plan",
    "Plans",
    "Sla",
    "Status",
    "Usage",
]


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
    assinavel: bool = False


@dataclass(frozen=True, slots=True)
class Contact:
    """Contacts of the service's operator; ``None`` where there is none."""

    email: str | None = None
    pagina: str | None = None


@dataclass(frozen=True, slots=True)
class Plans:
    """All plans of the service; ``disponibilidade_url`` is ``None`` where nothing is promised."""

    planos: tuple[Plan, ...]
    contato: Contact = Contact()
    disponibilidade_url: str | None = None


@dataclass(frozen=True, slots=True)
class Component:
    """The store, a skill, or a source of the register.

    ``status``: as that of the whole, or ``unknown`` where it had no result in the last 15 minutes.
    """

    nome: str
    status: str
    ultimo_sucesso: datetime | None = None
    volta_em: datetime | None = None


@dataclass(frozen=True, slots=True)
class DemoDay:
    """Calls of a day with the demo key, and those that failed."""

    chamadas: int
    falhas: int


@dataclass(frozen=True, slots=True)
class Day:
    """Calls of accounts due an answer on a day (of São Paulo), as ``2026-11-20``, and those that failed.

    A service that is older than this client does not have ``demo``.
    """

    dia: str
    chamadas: int
    falhas: int
    disponibilidade: float
    demo: DemoDay | None = None


@dataclass(frozen=True, slots=True)
class Sla:
    """The month so far beside what Pro promises; ``None`` where nothing was counted."""

    meta: float
    mes: str
    disponibilidade: float | None


@dataclass(frozen=True, slots=True)
class Status:
    """``status``: ``operational``, ``degraded`` or ``down``. ``historico``: up to 90 days, the newest last.

    A service older than this client sends neither ``historico`` nor ``sla``.
    """

    status: str
    componentes: tuple[Component, ...]
    verificado_em: datetime
    historico: tuple[Day, ...] | None = None
    sla: Sla | None = None
