"""Work that counts no call has a limit of its own, over real sockets; what counts goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from brskills_server.accounts.plans import PLANS
from brskills_server.metering.uncounted import LOOK_UP_UNITS
from tests.services.gateway import gateway
from tests.simulator import Simulator

SKILLS = "/api/v1/skills"
SHOP, TOO_NEW, UNKNOWN = "23456780000184", "99000000000230", "23456783000118"
CHARGE = {"chave": "fulano@exemplo.com.br", "nome_recebedor": "Fulano", "cidade": "Recife"}
FREE = PLANS["free"]


class Service:
    """A gateway of one process, the simulator behind it, and a free account."""

    def __init__(self, base: str, providers: Simulator) -> None:
        self.providers = providers
        self.http = httpx.Client(base_url=base, timeout=60)
        self.http.headers["X-API-Key"] = self.http.post("/api/v1/keys").json()["api_key"]

    def fail(self) -> None:
        for name in ("opencnpj", "cnpja"):
            self.providers.play(name, "500")

    def decode(self, _: object = None) -> httpx.Response:
        return self.http.post(f"{SKILLS}/pix/decode", json={"brcode": "x"})

    def company(self, cnpj: str) -> httpx.Response:
        return self.http.get(f"{SKILLS}/cnpj/{cnpj}")

    def calls(self) -> int:
        count: int = self.http.get("/api/v1/usage").json()["chamadas"]
        return count


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings = {"REGISTRY_PROVIDERS": "opencnpj,cnpja", "WORKERS": "1"}
        with gateway(tmp_path / "output.txt", **settings, **urls) as base:
            service = Service(base, providers)
            yield service
            service.http.close()


def many(ask: object, times: int) -> Counter[int]:
    with ThreadPoolExecutor(8) as pool:
        return Counter(answer.status_code for answer in pool.map(ask, range(times)))  # type: ignore[arg-type]


def test_uncounted_requests_are_refused_beyond_the_minute_and_counted_ones_are_not(service: Service) -> None:
    times = 2 * FREE.uncounted_a_minute + 10  # two minutes may begin meanwhile
    answers = many(service.decode, times)
    assert set(answers) == {200, 429}
    refused = service.decode()
    assert refused.status_code in {200, 429}  # the minute may have ended
    if refused.status_code == 429:
        assert refused.json()["code"] == "uncounted_limit"
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert service.http.post(f"{SKILLS}/pix", json=CHARGE).status_code == 200
    assert service.company(SHOP).status_code in {200, 429}
    assert service.calls() in {1, 2}


def test_look_ups_in_vain_end_and_stored_companies_are_answered_on(service: Service) -> None:
    assert service.company(SHOP).status_code == 200
    service.fail()
    times = 2 * FREE.uncounted_a_minute // LOOK_UP_UNITS + 10
    answers = many(lambda _: service.company(UNKNOWN), times)
    assert set(answers) == {503, 429}
    assert service.company(SHOP).status_code == 200
    assert service.http.post(f"{SKILLS}/pix", json=CHARGE).status_code == 200
    assert service.calls() == 3


def test_beyond_the_limit_a_large_body_is_refused_unread(service: Service) -> None:
    batch = {"itens": [{"chave": "x" * 300}] * 100}
    answers = many(lambda _: service.http.post(f"{SKILLS}/pix/lote", json=batch), 60)
    assert set(answers) == {200, 429}
    unread = service.http.post(f"{SKILLS}/pix/lote", content=b"[" * 20_000)
    assert unread.status_code in {429, 400}  # the minute may have ended
    assert service.http.post(f"{SKILLS}/pix", json=CHARGE).status_code == 200


def test_of_a_batch_the_items_beyond_the_limit_are_refused_for_themselves(service: Service) -> None:
    assert service.company(SHOP).status_code == 200
    service.fail()
    for _ in range(2 * FREE.uncounted_a_minute // LOOK_UP_UNITS + 10):
        service.company(UNKNOWN)
    answer = service.http.post(f"{SKILLS}/cnpj/lote", json={"cnpjs": [UNKNOWN, SHOP]}).json()
    assert [entry["status"] for entry in answer["resultados"]] in ([429, 200], [503, 200])
    assert answer["contadas"] == 1


def test_absences_that_nobody_confirms_count_beyond_the_free_ones_for_a_payee_too(service: Service) -> None:
    service.providers.play("cnpja", "500")
    request = {"chave": TOO_NEW, "nome_recebedor": "Loja"}
    for _ in range(FREE.free_absences or 0):
        answer = service.http.post(f"{SKILLS}/pix/conferir", json=request)
        assert [alert["codigo"] for alert in answer.json()["alertas"]] == ["sem_evidencia"]
    assert service.calls() == 0
    answer = service.http.post(f"{SKILLS}/pix/conferir", json=request)
    assert (answer.status_code, answer.headers["X-RateLimit-Remaining"]) == (200, "99")
    assert service.calls() == 1
