"""The payee check over simulated providers: its answers and counts, and logs without their contents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

import brcode
from tests.integration.conftest import Running

from .service import CNPJ, PIX, Served, calls_of

CHECK = f"{PIX}/conferir"
SHOP, ABSENT, TOO_NEW, UNKNOWN = "23456780000184", "99000000000159", "99000000000230", "23456783000118"
NAME, ANOTHER = "Loja de Exemplo", "Beltrana Souza"
PROVIDERS = ("opencnpj", "brasilapi", "cnpja")


def check(http: httpx.Client, key: str, name: str = NAME) -> httpx.Response:
    payload = brcode.encode(key=key, merchant_name=name, merchant_city="Recife").payload
    return http.post(CHECK, json={"brcode": payload})


def alerts(answer: httpx.Response) -> list[str]:
    """Without the age of the data, which grows by the day."""
    body: dict[str, Any] = answer.json()
    return [alert["codigo"] for alert in body["alertas"] if alert["codigo"] != "dado_antigo"]


@pytest.fixture
def fails(running: Running) -> Iterator[Callable[..., None]]:
    """Let providers fail until the test ends."""

    def fail(*names: str) -> None:
        for name in names:
            running.providers.play(name, "500")

    yield fail
    for name in PROVIDERS:
        running.providers.play(name, "truth")


def test_evidence_is_counted_and_logs_hold_no_key_name_or_company(
    running: Running, fails: Callable[..., None]
) -> None:
    before = len(running.output.read_text())
    with Served(running.base, running.providers).caller() as http:
        found = check(http, SHOP)
        assert (found.status_code, found.json()["nome"], alerts(found)) == (200, "confere", [])
        assert found.json()["evidencia"]["fonte"] in PROVIDERS
        assert alerts(check(http, SHOP, ANOTHER)) == ["nome_diverge"]
        assert calls_of(http) == 2
        assert alerts(check(http, ABSENT)) == ["empresa_inexistente"]
        assert calls_of(http) == 3
        keys = ["fulano@exemplo.com.br", "+5511987654321"]
        for key in keys:
            assert check(http, key, ANOTHER).status_code == 200
        http.post(CHECK, json={"chave": SHOP[:-1] + "5", "nome_recebedor": ANOTHER})
        fails("cnpja")
        assert alerts(check(http, TOO_NEW)) == ["sem_evidencia"]
        fails(*PROVIDERS)
        down = check(http, UNKNOWN, ANOTHER)
        assert (down.status_code, down.json()["code"]) == (503, "sources_unavailable")
        assert check(http, SHOP).json()["nome"] == "confere"  # from the store
        assert calls_of(http) == 4
        company = http.get(f"{CNPJ}/{SHOP}").json()["razao_social"]
        secrets = (*keys, SHOP, ABSENT, UNKNOWN, ANOTHER, company, http.headers["X-API-Key"])
    printed = running.output.read_text()[before:]
    assert printed.count(CHECK) >= 8
    for secret in (*secrets, "23456780", "Beltrana"):
        assert secret not in printed
