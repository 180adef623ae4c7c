"""The status follows from evidence; without any, a state is unknown."""

import binascii
from typing import Any

import pytest

import brcode
import brskills_server.skills.service.status
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.registry.dates import iso_instant
from brskills_server.registry.providers.provider import ProviderHealth
from brskills_server.skills.service.models import Status
from brskills_server.skills.service.status import StatusReader
from brskills_server.telemetry.availability import AvailabilityReport
from brskills_server.telemetry.day_counts import DayCounts
from tests.conftest import Clock
from tests.unit.skills.modelled import as_modelled

SEEN = "2026-11-18T11:00:00Z"
NOW = "2026-11-18T11:06:40Z"
NO_DEMO = {"chamadas": 0, "falhas": 0}


class Service:
    """A service made up of what a test sets."""

    def __init__(self, clock: Clock) -> None:
        self.is_away = False
        self.pings = 0
        self.sources: dict[str, str] = {"opencnpj": "operational"}
        self.failing: set[str] = set()
        self.breaker = "closed"
        self.counts: AvailabilityReport = AvailabilityReport({}, "2026-11", None)
        self.clock = clock
        self.reader = self.committed(True)

    def committed(self, committed: bool) -> StatusReader:
        """Return the reader of an operator with or without a service level agreement."""
        parts = self._ping, self._providers, lambda: self.failing, lambda: self.counts
        return StatusReader(*parts, committed=committed, clock=self.clock)

    def _ping(self) -> None:
        self.pings += 1
        if self.is_away:
            raise StoreUnavailable("away")

    def _providers(self) -> list[ProviderHealth]:
        return [
            ProviderHealth(name, state, self.breaker, SEEN if state == "operational" else None, None)  # type: ignore[arg-type]
            for name, state in self.sources.items()
        ]

    def states(self) -> dict[str, str]:
        """The whole and every component, by name."""
        found = self.reader.read()
        assert as_modelled(Status, found)
        return {"": found["status"]} | {part["nome"]: part["status"] for part in found["componentes"]}

    def cnpj(self, *sources: str) -> tuple[str, str]:
        """What the skill is with sources like these, and the whole."""
        self.sources = {f"s{n}": state for n, state in enumerate(sources)}
        states = self.states()
        return states["cnpj"], states[""]


@pytest.fixture
def service(clock: Clock) -> Service:
    return Service(clock)


def test_components_in_their_order_and_when_each_last_worked(service: Service) -> None:
    service.sources = {"receita": "operational", "cnpja": "unknown"}
    found = [(part["nome"], part["ultimo_sucesso"]) for part in service.reader.read()["componentes"]]
    last = [("armazenamento", NOW), ("pix", NOW), ("cnpj", SEEN), ("receita", SEEN), ("cnpja", None)]
    assert found == last


@pytest.mark.parametrize(
    ("sources", "cnpj", "whole"),
    [
        (("operational",), "operational", "operational"),
        (("operational", "down", "degraded", "unknown"), "operational", "operational"),
        (("degraded", "unknown"), "degraded", "degraded"),
        (("down", "unknown"), "degraded", "degraded"),
        (("down", "degraded"), "degraded", "degraded"),
        (("degraded",), "degraded", "degraded"),  # one failed look-up is no outage
        (("down", "down"), "down", "degraded"),
        (("unknown", "unknown"), "unknown", "operational"),
        ((), "down", "degraded"),
    ],
)
def test_the_state_of_look_ups_by_sources(
    service: Service, sources: tuple[str, ...], cnpj: str, whole: str
) -> None:
    assert service.cnpj(*sources) == (cnpj, whole)


def test_look_ups_are_down_until_a_source_is_back(service: Service) -> None:
    service.breaker = "half_open"  # of those whose pause has ended
    for sources, cnpj in (
        (("down", "degraded"), "down"),
        (("degraded", "degraded"), "down"),
        (("operational", "degraded"), "operational"),
    ):
        assert service.cnpj(*sources)[0] == cnpj, sources


@pytest.mark.parametrize("part", ["pix", "cnpj", "custom"])
def test_calls_that_failed_lately_degrade_the_whole(service: Service, part: str) -> None:
    service.failing = {part}
    states = service.states()
    assert states[""] == "degraded"
    assert {name for name in ("pix", "cnpj") if states[name] == "degraded"} == {part} & {"pix", "cnpj"}


def test_without_the_store_nothing_is_answered(service: Service, clock: Clock) -> None:
    service.states()
    clock.now += 1
    service.is_away = True
    states = service.states()
    assert {states[name] for name in ("", "armazenamento", "pix", "cnpj")} == {"down"}
    assert service.reader.read()["componentes"][0]["ultimo_sucesso"] == NOW


def test_the_ping_is_of_the_second_that_a_clock_shows(service: Service, clock: Clock) -> None:
    """So two workers, which ping at other moments, report the same one."""
    one, other = service.reader, service.committed(True)
    clock.now = int(clock.now) + 0.1
    for reader in (one, one, other, other, other, one):
        clock.now += 0.4
        assert reader.read()["componentes"][0]["ultimo_sucesso"] == iso_instant(clock.now)
    assert service.pings == 4


@pytest.mark.parametrize("fault", ["wrong", "raises"])
def test_wrong_codes_are_down(service: Service, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = brcode.encode

    def encode(**charge: Any) -> Any:
        if fault == "raises":
            raise ZeroDivisionError
        return right(**{**charge, "merchant_city": "Olinda"})

    monkeypatch.setattr(brcode, "encode", encode)
    states = service.states()
    assert (states["pix"], states[""]) == ("down", "degraded")
    assert service.cnpj("down") == ("down", "down")


def test_the_known_code_is_right_by_another_checksum() -> None:
    code = brskills_server.skills.service.status._KNOWN_CODE
    assert f"{binascii.crc_hqx(code[:-4].encode(), 0xFFFF):04X}" == code[-4:]


def test_the_history_by_day(service: Service) -> None:
    days = {
        "2026-10-31": DayCounts(4, 4),
        "2026-11-01": DayCounts(100_000, 1, 9, 9),
        "2026-11-02": DayCounts(2, 0),
        "2026-11-03": DayCounts(0, 0, 5, 5),
    }
    service.counts = AvailabilityReport(days, "2026-11", 0.9999)
    status = service.reader.read()
    assert as_modelled(Status, status)
    assert status["historico"] == [
        {"dia": "2026-10-31", "chamadas": 4, "falhas": 4, "disponibilidade": 0.0, "demo": NO_DEMO},
        {
            "dia": "2026-11-01",
            "chamadas": 100_000,
            "falhas": 1,
            "disponibilidade": 0.9999,
            "demo": {"chamadas": 9, "falhas": 9},
        },
        {"dia": "2026-11-02", "chamadas": 2, "falhas": 0, "disponibilidade": 1.0, "demo": NO_DEMO},
    ]
    assert status["sla"] == {"meta": 0.999, "mes": "2026-11", "disponibilidade": 0.9999}
    uncommitted = service.committed(False).read()
    assert as_modelled(Status, uncommitted)
    assert uncommitted["sla"] == {"meta": None, "mes": "2026-11", "disponibilidade": 0.9999}
    service.counts = AvailabilityReport(None, "2026-11", None)
    status = service.reader.read()
    assert as_modelled(Status, status)
    assert (status["historico"], status["sla"]["disponibilidade"]) == (None, None)
