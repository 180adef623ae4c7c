"""Who is paid, over simulated providers: what is told and counted, and that logs hold nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import brcode
from tests.services.gateway import gateway
from tests.simulator import Simulator

CHECK = "/api/v1/skills/pix/conferir"
SHOP, ABSENT, TOO_NEW, UNKNOWN = "23456780000184", "99000000000159", "99000000000230", "23456783000118"
NAME, ANOTHER = "Loja de Exemplo", "Beltrana Souza"


class Service:
    """A running gateway, the simulator behind it, and one caller."""

    def __init__(self, base: str, providers: Simulator, output: Path) -> None:
        self.providers, self.output = providers, output
        self.http = httpx.Client(base_url=base, timeout=60)
        self.key = self.http.post("/api/v1/keys").json()["api_key"]
        self.http.headers["X-API-Key"] = self.key

    def check(self, key: str, name: str = NAME) -> httpx.Response:
        payload = brcode.encode(key=key, merchant_name=name, merchant_city="Recife").payload
        return self.http.post(CHECK, json={"brcode": payload})

    def calls(self) -> int:
        count: int = self.http.get("/api/v1/usage").json()["chamadas"]
        return count


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    output = tmp_path / "output.txt"
    settings = {
        "REGISTRY_PROVIDERS": "opencnpj,brasilapi,cnpja",
        "LOG_FORMAT": "json",
        "POWERTOOLS_LOG_LEVEL": "INFO",
        "WORKERS": "1",
    }
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        with gateway(output, **settings, **urls) as base:
            service = Service(base, providers, output)
            yield service
            service.http.close()


def alerts(answer: httpx.Response) -> list[str]:
    """Without the age of the data, which grows by the day."""
    body: dict[str, Any] = answer.json()
    return [alert["codigo"] for alert in body["alertas"] if alert["codigo"] != "dado_antigo"]


def test_what_sources_say_is_told_and_counted_and_what_they_do_not_is_free(service: Service) -> None:
    found = service.check(SHOP)
    assert (found.status_code, found.json()["nome"], alerts(found)) == (200, "confere", [])
    assert found.json()["evidencia"]["fonte"] in {"opencnpj", "brasilapi", "cnpja"}
    assert alerts(service.check(SHOP, ANOTHER)) == ["nome_diverge"]
    assert service.calls() == 2
    assert alerts(service.check(ABSENT)) == ["empresa_inexistente"]
    assert service.calls() == 3
    service.providers.play("cnpja", "500")
    assert alerts(service.check(TOO_NEW)) == ["sem_evidencia"]
    for name in ("opencnpj", "brasilapi"):
        service.providers.play(name, "500")
    down = service.check(UNKNOWN)
    assert (down.status_code, down.json()["code"]) == (503, "sources_unavailable")
    assert service.check(SHOP).json()["nome"] == "confere"  # a company that was asked for is kept
    assert service.calls() == 4


def test_no_log_holds_key_name_or_company(service: Service) -> None:
    keys = [SHOP, ABSENT, "fulano@exemplo.com.br", "+5511987654321"]
    for key in keys:
        assert service.check(key, ANOTHER).status_code == 200
    service.http.post(CHECK, json={"chave": SHOP[:-1] + "5", "nome_recebedor": ANOTHER})
    for name in ("opencnpj", "brasilapi", "cnpja"):
        service.providers.play(name, "500")
    assert service.check(UNKNOWN, ANOTHER).status_code == 503
    printed = service.output.read_text()
    assert printed.count(CHECK) >= len(keys) + 2
    company = service.http.get("/api/v1/skills/cnpj/" + SHOP).json()
    for secret in (*keys, UNKNOWN, ANOTHER, company["razao_social"], service.key, "23456780", "Beltrana"):
        assert secret not in printed
