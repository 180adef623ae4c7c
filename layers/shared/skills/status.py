"""How the service is, by evidence: the store, the skills, the providers; and what its history says.

What each state means and what makes it true: ``docs/status.md``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

import brcode
from access import StoreUnavailable
from availability import PROMISED, Remembered, Told, share
from registry.instant import iso_instant

if TYPE_CHECKING:
    from registry import ProviderHealth

__all__ = ["Status", "StatusReader"]

State = Literal["operational", "degraded", "down", "unknown"]

_PING_SECONDS = 15

_KNOWN_CODE = (
    "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br5204000053039865802BR5907Padaria6006Recife"
    "62070503***6304A2F9"
)


class StatusComponent(BaseModel):
    """Uma parte do serviço: o armazenamento, uma habilidade, uma fonte."""

    nome: str = Field(examples=["armazenamento"])
    status: State = Field(description="unknown: nada se soube dela nos últimos 15 minutos.")
    ultimo_sucesso: str | None = Field(description="Quando funcionou pela última vez, se isso se sabe.")
    volta_em: str | None = Field(None, description="Quando uma fonte fora do ar será tentada de novo.")


class StatusDay(BaseModel):
    """As chamadas de um dia (de São Paulo)."""

    dia: str = Field(examples=["2026-11-20"])
    chamadas: int = Field(description="Chamadas de habilidades a que se devia resposta.")
    falhas: int = Field(description="As que falharam por nossa causa ou das fontes.")
    disponibilidade: float = Field(description="Parte respondida, arredondada para baixo.", examples=[0.9998])


class Sla(BaseModel):
    """O mês corrente diante do que o plano Pro promete."""

    meta: float = Field(examples=[0.999])
    mes: str = Field(examples=["2026-11"])
    disponibilidade: float | None = Field(description="Do mês até agora; null se nada foi contado.")


class Status(BaseModel):
    """Como estão as partes, e como foi."""

    status: Literal["operational", "degraded", "down"]
    componentes: list[StatusComponent]
    verificado_em: str = Field(examples=["2026-11-20T12:00:00Z"])
    historico: list[StatusDay] | None = Field(
        description="Até 90 dias, o mais novo por último; faltam dias sem chamadas. null: não pôde ser lido."
    )
    sla: Sla


class StatusReader:
    """Says how the service is.

    ``ping`` raises ``StoreUnavailable``; it is asked once in fifteen seconds. ``providers``: how each is.
    ``failing``: the parts of the service of which a call failed lately in this process. ``told``: the counts
    by day. ``clock``: Unix seconds.
    """

    def __init__(
        self,
        ping: Callable[[], None],
        providers: Callable[[], Sequence[ProviderHealth]],
        failing: Callable[[], Collection[str]],
        told: Callable[[], Told],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._ping = ping
        self._providers = providers
        self._failing = failing
        self._told = told
        self._clock = clock
        self._answered_at: float | None = None
        self._store_answers = Remembered(self._ask_store, _PING_SECONDS, clock)

    def read(self) -> Status:
        """How the service is now; never raises."""
        sources = [
            StatusComponent(
                nome=provider.id,
                status=provider.state,
                ultimo_sucesso=provider.last_success,
                volta_em=provider.retry_at,
            )
            for provider in self._providers()
        ]
        store, failing = self._store(), self._failing()
        skills = [self._pix(store, "pix" in failing), _cnpj(store, sources, "cnpj" in failing)]
        told = self._told()
        return Status(
            status=_whole(store, skills, failing),
            componentes=[store, *skills, *sources],
            verificado_em=iso_instant(self._clock()),
            historico=_days(told),
            sla=Sla(meta=PROMISED, mes=told.month, disponibilidade=told.month_share),
        )

    def _ask_store(self) -> bool:
        try:
            self._ping()
        except StoreUnavailable:
            return False
        self._answered_at = self._clock()
        return True

    def _store(self) -> StatusComponent:
        answers, at = self._store_answers(), self._answered_at
        return StatusComponent(
            nome="armazenamento",
            status="operational" if answers else "down",
            ultimo_sucesso=None if at is None else iso_instant(at),
        )

    def _pix(self, store: StatusComponent, fails: bool) -> StatusComponent:
        """Evidence by doing: a code is written, and the store could count it."""
        if store.status == "down" or not _writes_codes():
            return StatusComponent(nome="pix", status="down", ultimo_sucesso=store.ultimo_sucesso)
        status: State = "degraded" if fails else "operational"
        return StatusComponent(nome="pix", status=status, ultimo_sucesso=store.ultimo_sucesso)


def _writes_codes() -> bool:
    """Whether a known charge gives its known code."""
    try:
        code = brcode.encode(key="pix@exemplo.com.br", merchant_name="Padaria", merchant_city="Recife")
    except Exception:  # whatever it is, callers would meet it too
        return False
    return code.payload == _KNOWN_CODE


def _cnpj(store: StatusComponent, sources: Sequence[StatusComponent], fails: bool) -> StatusComponent:
    successes = [source.ultimo_sucesso for source in sources if source.ultimo_sucesso]
    status = "down" if store.status == "down" else _by_sources({source.status for source in sources})
    if fails and status != "down":
        status = "degraded"
    return StatusComponent(nome="cnpj", status=status, ultimo_sucesso=max(successes, default=None))


def _by_sources(states: Collection[State]) -> State:
    """How look-ups fare: one source that answers is enough; without any there are stored records alone."""
    if "operational" in states:
        return "operational"
    if "unknown" not in states:
        return "down"
    return "unknown" if states == {"unknown"} else "degraded"


def _whole(
    store: StatusComponent, skills: Sequence[StatusComponent], failing: Collection[str]
) -> Literal["operational", "degraded", "down"]:
    states = {skill.status for skill in skills}
    if store.status == "down" or states == {"down"}:
        return "down"
    return "degraded" if failing or states & {"degraded", "down"} else "operational"


def _days(told: Told) -> list[StatusDay] | None:
    if told.days is None:
        return None
    return [
        StatusDay(dia=day, chamadas=counts.calls, falhas=counts.failed, disponibilidade=shared)
        for day, counts in told.days.items()
        if (shared := share(*counts)) is not None
    ]
