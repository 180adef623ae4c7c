"""The status that two workers report while providers fail and recover."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.simulator.companies import numbers
from tests.simulator.replies import Reply

from .service import CNPJ, DEMO, TIMEOUT, Service, eventually, serve

PROVIDERS = "opencnpj,brasilapi"
SHARED_AFTER = 1.2  # seconds until every worker knows what another has written
SETTINGS = {"DEMO_MONTHLY_LIMIT": "1000000", "REGISTRY_PROVIDERS": PROVIDERS}
COMPANIES = itertools.cycle(numbers("11222333", 99))


def unavailable(_provider: str, _cnpj: str) -> Reply:
    return Reply(503, b"{}", {"retry-after": "1"})


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with serve(tmp_path, **SETTINGS) as started:
        yield started


def look_up(service: Service) -> int:
    """The status of a look-up that no stored answer serves, of another company each time."""
    address = f"{service.base}{CNPJ}/{next(COMPANIES)}?idade_maxima=0"
    return httpx.get(address, headers=DEMO, timeout=TIMEOUT).status_code


def states(service: Service, times: int) -> Iterator[dict[str, str]]:
    """The whole and each part by name; a connection for each, so that every worker is asked."""
    for _ in range(times):
        status = httpx.get(f"{service.base}/api/v1/status", timeout=TIMEOUT).json()
        yield {"": status["status"]} | {part["nome"]: part["status"] for part in status["componentes"]}


def are(service: Service, **expected: str) -> bool:
    """Whether both workers say so, with a chance of error of 1 in 500."""
    return all(expected.items() <= found.items() for found in states(service, 10))


def test_a_bad_day(service: Service) -> None:
    assert are(service, cnpj="unknown", opencnpj="unknown", brasilapi="unknown", pix="operational")
    assert [found[""] for found in states(service, 4)] == ["operational"] * 4
    assert service.providers.calls == []

    assert look_up(service) == 200
    time.sleep(SHARED_AFTER)
    assert are(service, cnpj="operational", opencnpj="operational", brasilapi="unknown")

    service.providers.play("opencnpj", "500")
    for _ in range(10):  # in one of the two workers at least five
        assert look_up(service) == 200  # by the other provider
    time.sleep(SHARED_AFTER)
    assert are(service, cnpj="operational", opencnpj="down", brasilapi="operational")

    service.providers.play("brasilapi", "500")
    for _ in range(10):
        assert look_up(service) in {200, 503}
    time.sleep(SHARED_AFTER)
    for found in states(service, 10):
        assert "operational" not in {found[name] for name in ("", "cnpj", "opencnpj", "brasilapi")}
        assert (found["pix"], found[""]) == ("operational", "degraded")

    service.reset_providers()

    def is_well_again() -> bool:
        look_up(service)
        time.sleep(SHARED_AFTER)
        return are(service, opencnpj="operational")

    eventually(is_well_again)


def test_a_provider_that_comes_and_goes_is_never_operational(service: Service) -> None:
    for reply in (unavailable, "truth") * 2:
        service.providers.play("opencnpj", reply)
        look_up(service)
        time.sleep(SHARED_AFTER)
        assert "operational" not in {found["opencnpj"] for found in states(service, 4)}


def test_probes_are_evidence_and_leave_no_other_trace(tmp_path: Path) -> None:
    with serve(tmp_path, PROBE_SECONDS="1", **SETTINGS) as service:
        well = dict.fromkeys(("cnpj", "opencnpj", "brasilapi"), "operational")
        eventually(lambda: are(service, **well))
        companies = [path for _, path in service.providers.calls if path not in {"/info"}]
        assert len(companies) == 2
        assert all(path.endswith("00000000000191") for path in companies)
        address = f"{service.base}{CNPJ}/00000000000191"
        assert httpx.get(address, headers=DEMO, timeout=TIMEOUT).status_code == 200
        assert len(service.providers.calls) > len(companies)  # nothing was stored
