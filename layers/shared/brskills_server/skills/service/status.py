"""Status of the service by part and availability by day; see ``docs/operate/monitoring.md``."""

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any, Literal

import brcode
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.registry.dates import iso_instant
from brskills_server.registry.providers.provider import ProviderHealth
from brskills_server.telemetry.availability import PROMISED, AvailabilityReport, share

State = Literal["operational", "degraded", "down", "unknown"]
Whole = Literal["operational", "degraded", "down"]
Component = dict[str, Any]

_KNOWN_CODE = (
    "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br5204000053039865802BR5907Padaria6006Recife"
    "62070503***6304A2F9"
)


class StatusReader:
    """Reader of the status.

    Nothing is cached but the ping, which writes, for the rest of a second of the clock: with several workers a
    reader would see one's older figures after another's newer ones. ``ping`` raises ``StoreUnavailable``. ``failing``: the parts with a recently failed call in any
    process.
    ``availability``: the counts by day.
    ``committed``: the operator has a service level agreement. ``clock``: Unix seconds.
    """

    def __init__(
        self,
        ping: Callable[[], None],
        providers: Callable[[], Sequence[ProviderHealth]],
        failing: Callable[[], Collection[str]],
        availability: Callable[[], AvailabilityReport],
        *,
        committed: bool,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._ping = ping
        self._providers = providers
        self._failing = failing
        self._availability = availability
        self._goal = PROMISED if committed else None
        self._clock = clock
        self._pinging = Lock()
        self._answers, self._pinged_at, self._answered_at = False, 0, 0  # seconds of the clock; 0: never

    def read(self) -> dict[str, Any]:
        """Return the present status as ``models.Status``; raise nothing."""
        providers = self._providers()
        sources = [
            _component(source.id, source.state, source.last_success) | {"volta_em": source.retry_at}
            for source in providers
        ]
        store, failing = self._store(), self._failing()
        skills = [_pix(store, "pix" in failing), _cnpj(store, providers, "cnpj" in failing)]
        report = self._availability()
        return {
            "status": _whole(store, skills, failing),
            "componentes": [store, *skills, *sources],
            "verificado_em": iso_instant(self._clock()),
            "historico": _days(report),
            "sla": {"meta": self._goal, "mes": report.month, "disponibilidade": report.month_share},
        }

    def _store(self) -> Component:
        with self._pinging:
            if int(self._clock()) != self._pinged_at:
                self._answers = False
                with suppress(StoreUnavailable):
                    self._ping()
                    self._answers = True
                self._pinged_at = int(self._clock())
                self._answered_at = self._pinged_at if self._answers else self._answered_at
            status: State = "operational" if self._answers else "down"
            seen = iso_instant(self._answered_at) if self._answered_at else None
        return _component("armazenamento", status, seen)


def _component(name: str, status: State, last_success: str | None) -> Component:
    return {"nome": name, "status": status, "ultimo_sucesso": last_success}


def _pix(store: Component, fails: bool) -> Component:
    """Return the state of Pix: whether a code can be written and counted."""
    is_down = store["status"] == "down" or not _writes_codes()
    status: State = "down" if is_down else "degraded" if fails else "operational"
    return _component("pix", status, store["ultimo_sucesso"])


def _writes_codes() -> bool:
    """Return whether a known charge gives its known code."""
    try:
        code = brcode.encode(key="pix@exemplo.com.br", merchant_name="Padaria", merchant_city="Recife")
    except Exception:  # whatever it is, calls fail by it too, and the status must still be answered
        return False
    return code.payload == _KNOWN_CODE


def _cnpj(store: Component, sources: Sequence[ProviderHealth], fails: bool) -> Component:
    successes = [source.last_success for source in sources if source.last_success]
    status = "down" if store["status"] == "down" else _by_sources({_for_calls(each) for each in sources})
    if fails and status != "down":
        status = "degraded"
    return _component("cnpj", status, max(successes, default=None))


def _for_calls(source: ProviderHealth) -> State:
    """Return a source's state for look-ups: after the pause of one that was down nothing says that it is back."""
    return "down" if (source.state, source.breaker) == ("degraded", "half_open") else source.state


def _by_sources(states: Collection[State]) -> State:
    """Return the state of look-ups: one working source is enough, and one that failed may answer the next."""
    if "operational" in states:
        return "operational"
    if {*states} <= {"down"}:
        return "down"
    return "unknown" if states == {"unknown"} else "degraded"


def _whole(store: Component, skills: Sequence[Component], failing: Collection[str]) -> Whole:
    states = {skill["status"] for skill in skills}
    if store["status"] == "down" or states == {"down"}:
        return "down"
    return "degraded" if failing or states & {"degraded", "down"} else "operational"


def _days(report: AvailabilityReport) -> list[dict[str, Any]] | None:
    if report.days is None:
        return None
    return [
        {
            "dia": day,
            "chamadas": counts.calls,
            "falhas": counts.failed,
            "disponibilidade": shared,
            "demo": {"chamadas": counts.demo_calls, "falhas": counts.demo_failed},
        }
        for day, counts in report.days.items()
        if (shared := share(counts.calls, counts.failed)) is not None
    ]
