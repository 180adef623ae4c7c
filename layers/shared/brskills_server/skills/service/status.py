"""How the service is, by evidence: the store, the skills, the providers; and what its history says.

What each state means and what makes it true: ``docs/status.md``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Literal

import brcode
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.registry.dates import iso_instant
from brskills_server.telemetry.availability import PROMISED, AvailabilityReport, share
from brskills_server.telemetry.timed_cache import TimedCache

if TYPE_CHECKING:
    from brskills_server.registry.providers.provider_health import ProviderHealth

__all__ = ["State", "StatusReader", "Whole"]

State = Literal["operational", "degraded", "down", "unknown"]
Whole = Literal["operational", "degraded", "down"]
Component = dict[str, Any]

_PING_SECONDS = 15

_KNOWN_CODE = (
    "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br5204000053039865802BR5907Padaria6006Recife"
    "62070503***6304A2F9"
)


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
        told: Callable[[], AvailabilityReport],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._ping = ping
        self._providers = providers
        self._failing = failing
        self._told = told
        self._clock = clock
        self._answered_at: float | None = None
        self._store_answers = TimedCache(self._ask_store, _PING_SECONDS, clock)

    def read(self) -> dict[str, Any]:
        """How the service is now, as ``service_models.Status``; never raises."""
        sources = [
            _component(provider.id, provider.state, provider.last_success) | {"volta_em": provider.retry_at}
            for provider in self._providers()
        ]
        store, failing = self._store(), self._failing()
        skills = [_pix(store, "pix" in failing), _cnpj(store, sources, "cnpj" in failing)]
        told = self._told()
        return {
            "status": _whole(store, skills, failing),
            "componentes": [store, *skills, *sources],
            "verificado_em": iso_instant(self._clock()),
            "historico": _days(told),
            "sla": {"meta": PROMISED, "mes": told.month, "disponibilidade": told.month_share},
        }

    def _ask_store(self) -> bool:
        try:
            self._ping()
        except StoreUnavailable:
            return False
        self._answered_at = self._clock()
        return True

    def _store(self) -> Component:
        answers, at = self._store_answers(), self._answered_at
        seen = None if at is None else iso_instant(at)
        return _component("armazenamento", "operational" if answers else "down", seen)


def _component(name: str, status: State, last_success: str | None) -> Component:
    return {"nome": name, "status": status, "ultimo_sucesso": last_success}


def _pix(store: Component, fails: bool) -> Component:
    """Evidence by doing: a code is written, and the store could count it."""
    is_down = store["status"] == "down" or not _writes_codes()
    status: State = "down" if is_down else "degraded" if fails else "operational"
    return _component("pix", status, store["ultimo_sucesso"])


def _writes_codes() -> bool:
    """Whether a known charge gives its known code."""
    try:
        code = brcode.encode(key="pix@exemplo.com.br", merchant_name="Padaria", merchant_city="Recife")
    except Exception:  # whatever it is, callers would meet it too
        return False
    return code.payload == _KNOWN_CODE


def _cnpj(store: Component, sources: Sequence[Component], fails: bool) -> Component:
    successes = [source["ultimo_sucesso"] for source in sources if source["ultimo_sucesso"]]
    status = "down" if store["status"] == "down" else _by_sources({source["status"] for source in sources})
    if fails and status != "down":
        status = "degraded"
    return _component("cnpj", status, max(successes, default=None))


def _by_sources(states: Collection[State]) -> State:
    """How look-ups fare: one source that answers is enough; without any there are stored records alone."""
    if "operational" in states:
        return "operational"
    if "unknown" not in states:
        return "down"
    return "unknown" if states == {"unknown"} else "degraded"


def _whole(store: Component, skills: Sequence[Component], failing: Collection[str]) -> Whole:
    states = {skill["status"] for skill in skills}
    if store["status"] == "down" or states == {"down"}:
        return "down"
    return "degraded" if failing or states & {"degraded", "down"} else "operational"


def _days(told: AvailabilityReport) -> list[dict[str, Any]] | None:
    if told.days is None:
        return None
    return [
        {
            "dia": day,
            "chamadas": counts.calls,
            "falhas": counts.failed,
            "disponibilidade": shared,
            "demo": {"chamadas": counts.demo_calls, "falhas": counts.demo_failed},
        }
        for day, counts in told.days.items()
        if (shared := share(counts.calls, counts.failed)) is not None
    ]
