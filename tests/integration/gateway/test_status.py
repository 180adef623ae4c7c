"""The status that two workers report while providers fail and recover."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.simulator.companies import numbers

from .service import CNPJ, DEMO, TIMEOUT, Service, eventually, serve

PROVIDERS = "opencnpj,brasilapi"
SHARED_AFTER = 1.2  # seconds until every worker knows what another has written
SETTINGS = {"DEMO_MONTHLY_LIMIT": "1000000", "REGISTRY_PROVIDERS": PROVIDERS}
FAILING = ("", "cnpj", "opencnpj", "brasilapi")
COMPANIES = itertools.cycle(numbers("11222333", 99))


@contextmanager
def serving(folder: Path, **more: str) -> Iterator[tuple[Service, httpx.Client]]:
    """A gateway, and a client with a connection for each call, so that every worker is reached."""
    headers = {**DEMO, "Connection": "close"}
    with (
        serve(folder, **SETTINGS, **more) as service,
        httpx.Client(base_url=service.base, headers=headers, timeout=TIMEOUT) as http,
    ):
        yield service, http


def look_up(http: httpx.Client) -> int:
    """The status of a look-up that no stored answer serves, of another company each time."""
    return http.get(f"{CNPJ}/{next(COMPANIES)}?idade_maxima=0").status_code


def ten_look_ups(http: httpx.Client) -> set[int]:
    with ThreadPoolExecutor(5) as pool:
        return set(pool.map(lambda _: look_up(http), range(10)))


def states(http: httpx.Client, times: int) -> Iterator[dict[str, str]]:
    """The whole and each part by name."""
    for _ in range(times):
        status = http.get("/api/v1/status").json()
        yield {"": status["status"]} | {part["nome"]: part["status"] for part in status["componentes"]}


def are(http: httpx.Client, **expected: str) -> bool:
    """Whether both workers report these states, with a chance of error of 1 in 500."""
    return all(expected.items() <= found.items() for found in states(http, 10))


def test_a_bad_day(tmp_path: Path) -> None:
    with serving(tmp_path) as (service, http):
        assert are(http, cnpj="unknown", opencnpj="unknown", brasilapi="unknown", pix="operational")
        assert [found[""] for found in states(http, 4)] == ["operational"] * 4
        assert service.providers.calls == []

        assert look_up(http) == 200
        time.sleep(SHARED_AFTER)
        assert are(http, cnpj="operational", opencnpj="operational", brasilapi="unknown")

        service.providers.play("opencnpj", "500")

        def is_down() -> bool:
            assert ten_look_ups(http) == {200}  # by the other provider
            time.sleep(SHARED_AFTER)
            return are(http, cnpj="operational", opencnpj="down", brasilapi="operational")

        eventually(is_down)
        service.providers.play("brasilapi", "500")

        def is_bad() -> bool:
            assert ten_look_ups(http) <= {200, 503}
            time.sleep(SHARED_AFTER)
            return not any("operational" in map(found.get, FAILING) for found in states(http, 10))

        eventually(is_bad)
        for found in states(http, 10):
            assert (found["pix"], found[""]) == ("operational", "degraded")


def test_probes_are_evidence_and_leave_no_other_trace(tmp_path: Path) -> None:
    with serving(tmp_path, PROBE_SECONDS="1", WORKERS="1") as (service, http):
        well = dict.fromkeys(("cnpj", "opencnpj", "brasilapi"), "operational")
        eventually(lambda: are(http, **well))
        companies = [path for _, path in service.providers.calls if path not in {"/info"}]
        assert len(companies) == 2
        assert all(path.endswith("00000000000191") for path in companies)
        assert http.get(f"{CNPJ}/00000000000191").status_code == 200
        assert len(service.providers.calls) > len(companies)  # nothing was stored
