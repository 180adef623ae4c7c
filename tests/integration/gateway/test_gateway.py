"""The gateway that every test shares: mixed callers, odd requests, what is printed, its store."""

from __future__ import annotations

import re

import httpx

from tests.integration.conftest import PROVIDERS, Running

from .service import CHARGE, DEMO, PIX


def test_no_forwarding_header_is_trusted_by_default(http: httpx.Client) -> None:
    def used(address: str) -> int:
        usage = http.get("/api/v1/usage", headers={**DEMO, "X-Forwarded-For": address})
        calls: int = usage.json()["chamadas"]
        return calls

    before = used("198.51.100.1")
    answer = http.post(PIX, json=CHARGE, headers={**DEMO, "X-Forwarded-For": "198.51.100.2"})
    assert answer.status_code == 200
    assert used("198.51.100.1") == used("198.51.100.2") == before + 1


def test_nothing_of_a_caller_or_a_company_is_printed(running: Running, http: httpx.Client) -> None:
    before = len(running.output.read_text())
    key = http.post("/api/v1/keys", json={"email": "segredo@exemplo.com.br"}).json()["api_key"]
    auth = {"X-API-Key": key}
    for chave in ("529.982.247-25", "52998224725", "+5511987654321", "fulano.de.tal@exemplo.com.br", "529"):
        http.post(PIX, json={**CHARGE, "chave": chave, "nome_recebedor": "Beltrana Souza"}, headers=auth)
    http.post(f"{PIX}/decode", json={"brcode": "0002012658beltrano"}, headers=auth)
    company = http.get("/api/v1/skills/cnpj/33000167000101", headers=auth)
    assert company.status_code == 200
    partners = [partner["nome"] for partner in company.json()["socios"]]
    replies = dict(zip(PROVIDERS.split(","), ("500", "garbage-200", "500"), strict=True))
    for provider, reply in replies.items():
        running.providers.play(provider, reply)
    failed = http.get("/api/v1/skills/cnpj/19131243000197", headers=auth)
    for provider in replies:
        running.providers.play(provider, "truth")
    assert failed.status_code == 503
    http.get("/api/v1/usage", headers={"X-API-Key": "brsk_" + "segredo" * 5 + "abc"})
    http.post(PIX, content=b'{"chave": "52998224725"', headers={**auth, "Content-Type": "application/json"})

    printed = running.output.read_text()[before:]
    assert "POST /api/v1/skills/pix 200" in printed
    assert "GET /api/v1/skills/cnpj/{cnpj+} 200" in printed
    assert partners
    # A request's number is random, and its moment and time are any: each may hold three digits of a secret.
    number = r"[\d.]+ ms [0-9a-f-]{36}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    random = rf'{number}|:\d\d,\d{{3}}\+|"milliseconds":[\d.]+'
    said = re.sub(random, "", printed)
    secrets = [
        "529",
        "11987654321",
        "fulano",
        "Beltran",
        "segredo",
        key[5:37],
        "33000167",
        "19131243",
        "PETROBRAS",
    ]
    for secret in [*secrets, *partners]:
        assert secret not in said.replace(DEMO["X-API-Key"], ""), secret


def test_chunked_bodies_are_read(http: httpx.Client) -> None:
    answer = http.post(
        PIX,
        content=iter([b'{"chave": "pix@exemplo.com.br", ', b'"nome_recebedor": "Loja", "cidade": "Recife"}']),
        headers={**DEMO, "Content-Type": "application/json"},
    )
    assert answer.status_code == 200


def test_a_number_with_a_line_break_is_an_invalid_number_and_not_another_route(http: httpx.Client) -> None:
    answer = http.get("/api/v1/skills/cnpj/33000167000101%0a%0a5", headers=DEMO)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_fields")


def test_a_path_that_is_not_text_is_not_found(http: httpx.Client) -> None:
    assert http.get("/%ff%fe").json()["code"] == "not_found"
