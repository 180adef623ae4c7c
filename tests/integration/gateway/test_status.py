"""How two workers say the service is while its providers fail and recover, asked of both at any moment."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.services.gateway import gateway
from tests.simulator import Simulator
from tests.simulator.companies import numbers
from tests.simulator.replies import Reply

from .test_gateway import CHARGE, DEMO, PIX
from .test_processes import eventually

PROVIDERS = "opencnpj,brasilapi"
HEARD = 1.2  # seconds until all workers know what one of them wrote


def rests(_provider: str, _cnpj: str) -> Reply:
    """A fault: the provider asks not to be called for a second."""
    return Reply(503, b"{}", {"retry-after": "1"})


class Service:
    """A gateway that is asked by a connection for each call, so that every worker is met."""

    def __init__(self, base: str, providers: Simulator) -> None:
        self.base = base
        self.providers = providers
        self._numbers = itertools.cycle(numbers("11222333", 99))

    def look_up(self) -> int:
        """The status of a look-up that no stored answer serves, of another company each time."""
        address = f"{self.base}/api/v1/skills/cnpj/{next(self._numbers)}?idade_maxima=0"
        return httpx.get(address, headers=DEMO, timeout=60).status_code

    def states(self, times: int = 1) -> Iterator[dict[str, str]]:
        """The whole and each part by name, as so many answers have them."""
        for _ in range(times):
            told = httpx.get(f"{self.base}/api/v1/status", timeout=60).json()
            yield {"": told["status"]} | {part["nome"]: part["status"] for part in told["componentes"]}

    def are(self, **expected: str) -> bool:
        """Whether both workers say so, as far as many answers show."""
        return all(expected.items() <= states.items() for states in self.states(12))


@contextmanager
def running(tmp_path: Path, **settings: str) -> Iterator[Service]:
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        fixed = {"WORKERS": "2", "DEMO_MONTHLY_LIMIT": "1000000", "REGISTRY_PROVIDERS": PROVIDERS}
        with gateway(tmp_path / "output.txt", **(fixed | settings), **urls) as base:
            yield Service(base, providers)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path) as started:
        yield started


def test_nothing_is_asked_and_nothing_is_well_that_nobody_asked_for(service: Service) -> None:
    assert service.are(cnpj="unknown", opencnpj="unknown", brasilapi="unknown", pix="operational")
    assert [states[""] for states in service.states(4)] == ["operational"] * 4
    assert service.providers.calls == []


def test_a_bad_day(service: Service) -> None:
    assert service.look_up() == 200
    time.sleep(HEARD)
    assert service.are(cnpj="operational", opencnpj="operational", brasilapi="unknown")

    service.providers.play("opencnpj", "500")
    for _ in range(10):  # in one of the two workers at least five
        assert service.look_up() == 200  # by the other one
    time.sleep(HEARD)
    assert service.are(cnpj="operational", opencnpj="down", brasilapi="operational")

    service.providers.play("brasilapi", "500")
    for _ in range(10):
        assert service.look_up() in {200, 503}
    time.sleep(HEARD)
    for states in service.states(20):
        assert "operational" not in {states[name] for name in ("", "cnpj", "opencnpj", "brasilapi")}
        assert (states["pix"], states[""]) == ("operational", "degraded")

    for name in PROVIDERS.split(","):
        service.providers.play(name, "truth")

    def is_well_again() -> bool:
        service.look_up()
        time.sleep(HEARD)
        return service.are(opencnpj="operational")

    eventually(is_well_again)


def test_a_provider_that_comes_and_goes_is_never_well(service: Service) -> None:
    for fault in (rests, "truth") * 4:
        service.providers.play("opencnpj", fault)
        service.look_up()
        time.sleep(HEARD)
        assert "operational" not in {states["opencnpj"] for states in service.states(4)}


def test_probes_are_evidence_and_leave_no_other_trace(tmp_path: Path) -> None:
    with running(tmp_path, PROBE_SECONDS="1") as service:
        eventually(lambda: service.are(cnpj="operational", opencnpj="operational", brasilapi="operational"))
        companies = [path for _, path in service.providers.calls if path not in {"/info"}]
        assert len(companies) == 2
        assert all(path.endswith("00000000000191") for path in companies)
        address = f"{service.base}/api/v1/skills/cnpj/00000000000191"
        assert httpx.get(address, headers=DEMO, timeout=60).status_code == 200
        assert len(service.providers.calls) > len(companies)  # nothing was stored


def test_the_history_is_told_within_a_minute_without_another_call(service: Service) -> None:
    key = {"X-API-Key": httpx.post(f"{service.base}/api/v1/keys", timeout=60).json()["api_key"]}
    assert httpx.post(service.base + PIX, json=CHARGE, headers=key, timeout=60).status_code == 200

    def told() -> bool:
        days = httpx.get(f"{service.base}/api/v1/status", timeout=60).json()["historico"]
        return [(day["chamadas"], day["falhas"], day["disponibilidade"]) for day in days] == [(1, 0, 1.0)]

    eventually(told)
