"""A request sent again under its ``Idempotency-Key``: what it asks of the sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.simulator import Simulator
from tests.simulator.companies import numbers
from tests.simulator.replies import Reply, truth

from .service import CNPJ, Served, eventually, serve_here

TIMES, THREADS = 20, 20
COMPANIES, OTHERS = numbers("11222333", 12), numbers("11222444", 3)


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    with serve_here() as started:
        yield started


@pytest.fixture
def providers(service: Served) -> Simulator:
    return service.providers


@pytest.fixture
def http(service: Served) -> Iterator[httpx.Client]:
    with service.caller() as client:
        yield client


def asked(providers: Simulator) -> int:
    return sum(path.strip("/") in {*COMPANIES, *OTHERS} for _, path in providers.calls)


def slowly(provider: str, cnpj: str) -> Reply:
    return replace(truth(provider, cnpj), after=0.5)


@pytest.mark.parametrize(
    ("path", "body", "companies", "threads"),
    [
        (CNPJ, {"cnpj": COMPANIES[0]}, 1, 1),
        (CNPJ, {"cnpj": COMPANIES[1]}, 1, THREADS),
        (f"{CNPJ}/lote", {"cnpjs": COMPANIES[2:5]}, 3, 1),
        (f"{CNPJ}/lote", {"cnpjs": COMPANIES[5:8]}, 3, THREADS),
    ],
)
def test_sources_are_asked_once_whatever_age_is_demanded(
    http: httpx.Client, providers: Simulator, path: str, body: dict[str, Any], companies: int, threads: int
) -> None:
    before, key = asked(providers), {"Idempotency-Key": "a"}
    providers.play("opencnpj", slowly)
    with ThreadPoolExecutor(threads) as pool:
        demand = {**body, "idade_maxima": 0}
        answers = list(pool.map(lambda _: http.post(path, json=demand, headers=key), range(TIMES)))
    providers.play("opencnpj", "truth")
    assert Counter(answer.status_code for answer in answers) == {200: TIMES}
    assert sum("idempotency-replayed" in answer.headers for answer in answers) == TIMES - 1
    if path == CNPJ:
        assert len({answer.json()["consultado_em"] for answer in answers}) == 1
    assert asked(providers) == before + companies
    assert http.get("/api/v1/usage").json()["chamadas"] == companies


def test_an_item_that_was_not_counted_is_asked_for_and_the_others_are_not(
    http: httpx.Client, providers: Simulator
) -> None:
    down, busy = OTHERS[1], Reply(429, b"{}", {"retry-after": "1"})  # which no number is remembered for
    providers.play("opencnpj", lambda name, cnpj: busy if cnpj == down else truth(name, cnpj))
    body, key = {"cnpjs": OTHERS, "idade_maxima": 0}, {"Idempotency-Key": "a"}
    first = http.post(f"{CNPJ}/lote", json=body, headers=key).json()
    providers.play("opencnpj", "truth")
    other = {"X-API-Key": http.post("/api/v1/keys").json()["api_key"]}
    eventually(lambda: http.get(f"{CNPJ}/{COMPANIES[11]}?idade_maxima=0", headers=other).is_success)
    before = asked(providers)
    again = [http.post(f"{CNPJ}/lote", json=body, headers=key).json() for _ in range(3)]
    assert [entry["status"] for entry in first["resultados"]] == [200, 503, 200]
    assert [entry["status"] for one in again for entry in one["resultados"]] == [200] * 9
    assert (first["contadas"], {one["contadas"] for one in again}) == (2, {3})
    assert asked(providers) == before + 1


def test_a_check_of_the_payee_asks_no_source_again(http: httpx.Client, providers: Simulator) -> None:
    body, key = {"chave": numbers("11222333", 4)[3], "tipo_chave": "cnpj"}, {"Idempotency-Key": "a"}
    answers = [http.post("/api/v1/skills/pix/conferir", json=body, headers=key) for _ in range(5)]
    assert {answer.status_code for answer in answers} == {200}
    assert sum(body["chave"] in path for _, path in providers.calls) == 1
    assert http.get("/api/v1/usage").json()["chamadas"] == 1
