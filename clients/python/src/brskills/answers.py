"""Answers about the account and the service, and batches of answers, with the names of the API."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from brskills.errors import ProblemError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
    """``resultados``: an answer or a problem for each item, in order. ``contadas``: the calls counted."""

    resultados: tuple[T | ProblemError, ...]
    contadas: int


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
    """A new key, which is shown only once. ``id`` is the account's, for support."""

    api_key: str
    id: str
    plano: str
    limite_mensal: int | None

    def __repr__(self) -> str:
        return f"IssuedKey(id={self.id!r}, plano={self.plano!r})"  # no key in logs


@dataclass(frozen=True, slots=True)
class BillingPage:
    """A short-lived page to subscribe, or to change or cancel a subscription."""

    url: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan. ``limite_mensal`` is ``None`` without a limit, ``preco_usd_mes`` if it is negotiated."""

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
    empresas_vigiadas: int | None = None


@dataclass(frozen=True, slots=True)
class Contact:
    """Contacts of the service's operator."""

    email: str | None = None
    pagina: str | None = None


@dataclass(frozen=True, slots=True)
class Plans:
    """All plans of the service; ``disponibilidade_url`` is ``None`` without a service commitment."""

    planos: tuple[Plan, ...]
    contato: Contact = Contact()
    disponibilidade_url: str | None = None


@dataclass(frozen=True, slots=True)
class Component:
    """The store, a skill, or a source of the register.

    ``status``: as that of the whole, or ``unknown`` without a result in the last 15 minutes.
    """

    nome: str
    status: str
    ultimo_sucesso: datetime | None = None
    volta_em: datetime | None = None


@dataclass(frozen=True, slots=True)
class DemoDay:
    """The calls of a day with the demo key, and the failed ones."""

    chamadas: int
    falhas: int


@dataclass(frozen=True, slots=True)
class Day:
    """The calls of accounts on a day (of São Paulo), as ``2026-11-20``, and the failed ones.

    Older services do not send ``demo``.
    """

    dia: str
    chamadas: int
    falhas: int
    disponibilidade: float
    demo: DemoDay | None = None


@dataclass(frozen=True, slots=True)
class Sla:
    """The availability of the month so far, and the target of Pro.

    ``meta`` is ``None`` without a service commitment, ``disponibilidade`` without calls.
    """

    meta: float | None
    mes: str
    disponibilidade: float | None


@dataclass(frozen=True, slots=True)
class Status:
    """``status``: ``operational``, ``degraded`` or ``down``. ``historico``: up to 90 days, the newest last.

    Older services send neither ``historico`` nor ``sla``.
    """

    status: str
    componentes: tuple[Component, ...]
    verificado_em: datetime
    historico: tuple[Day, ...] | None = None
    sla: Sla | None = None
