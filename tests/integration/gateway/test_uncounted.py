"""Work that counts no call has its own limit; counted calls continue beyond it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from brskills_server.accounts.plans import PLANS
from brskills_server.metering.uncounted import LOOK_UP_UNITS

from .service import CHARGE, CNPJ, PIX, Served, calls_of, serve_here

SHOP, TOO_NEW, UNKNOWN = "23456780000184", "99000000000230", "23456783000118"
FREE = PLANS["free"]._replace(uncounted_a_minute=200)  # fewer calls to use it up
LOOK_UPS = 2 * FREE.uncounted_a_minute // LOOK_UP_UNITS + 10  # two minutes may begin meanwhile


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patched, serve_here(REGISTRY_PROVIDERS="opencnpj,cnpja") as started:
        patched.setitem(PLANS, "free", FREE)
        yield started


@pytest.fixture
def http(service: Served) -> Iterator[httpx.Client]:
    with service.caller() as client:
        yield client


def many(call: Callable[[], httpx.Response], times: int) -> Counter[int]:
    with ThreadPoolExecutor(8) as pool:
        return Counter(answer.status_code for answer in pool.map(lambda _: call(), range(times)))


def test_unconfirmed_absences_count_beyond_the_free_ones_for_a_payee_too(
    service: Served, http: httpx.Client
) -> None:
    service.providers.play("cnpja", "500")
    request = {"chave": TOO_NEW, "nome_recebedor": "Loja"}
    for _ in range(FREE.free_absences or 0):
        answer = http.post(f"{PIX}/conferir", json=request)
        assert [alert["codigo"] for alert in answer.json()["alertas"]] == ["sem_evidencia"]
    assert calls_of(http) == 0
    answer = http.post(f"{PIX}/conferir", json=request)
    assert (answer.status_code, answer.headers["X-RateLimit-Remaining"]) == (200, "99")
    assert calls_of(http) == 1


def test_uncounted_requests_are_refused_beyond_the_minutes_limit(http: httpx.Client) -> None:
    def decode() -> httpx.Response:
        return http.post(f"{PIX}/decode", json={"brcode": "x"})

    assert set(many(decode, 2 * FREE.uncounted_a_minute + 10)) == {200, 429}
    refused = decode()
    assert refused.status_code in {200, 429}  # the minute may have ended
    if refused.status_code == 429:
        assert refused.json()["code"] == "uncounted_limit"
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert http.post(PIX, json=CHARGE).status_code == 200
    assert calls_of(http) == 1


def test_beyond_the_limit_a_large_body_is_refused_unread(http: httpx.Client) -> None:
    batch = {"itens": [{"chave": "x" * 300}] * 100}
    assert set(many(lambda: http.post(f"{PIX}/lote", json=batch), 60)) == {200, 429}
    unread = http.post(f"{PIX}/lote", content=b"[" * 20_000)
    assert unread.status_code in {429, 400}  # the minute may have ended
    assert http.post(PIX, json=CHARGE).status_code == 200


def test_failing_look_ups_end_and_stored_companies_are_still_answered(
    service: Served, http: httpx.Client
) -> None:
    assert http.get(f"{CNPJ}/{SHOP}").status_code == 200
    for name in ("opencnpj", "cnpja"):
        service.providers.play(name, "500")
    assert set(many(lambda: http.get(f"{CNPJ}/{UNKNOWN}"), LOOK_UPS)) == {503, 429}
    assert http.get(f"{CNPJ}/{SHOP}").status_code == 200
    assert http.post(PIX, json=CHARGE).status_code == 200
    assert calls_of(http) == 3
    answer = http.post(f"{CNPJ}/lote", json={"cnpjs": [UNKNOWN, SHOP]}).json()
    assert [entry["status"] for entry in answer["resultados"]] in ([429, 200], [503, 200])
    assert answer["contadas"] == 1
