"""The gateway that every test shares: mixed callers, odd requests, what is printed, its store."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.integration.conftest import PROVIDERS, Running
from tests.services.gateway import ROOT
from tests.services.gateway_thread import gateway_thread

from .service import CHARGE, DEMO, PIX


def test_two_hundred_mixed_calls_at_once_never_mix_callers(http: httpx.Client) -> None:
    keys = [http.post("/api/v1/keys").json()["api_key"] for _ in range(8)]

    def call(number: int) -> tuple[int, str]:
        who = number % len(keys)
        body = {**CHARGE, "chave": f"dev{who}.{number}@exemplo.com.br", "txid": f"PEDIDO{number}"}
        answer = http.post(PIX, json=body, headers={"X-API-Key": keys[who]})
        assert answer.status_code == 200
        found = answer.json()
        assert (found["chave"], found["txid"]) == (body["chave"], body["txid"])
        return who, answer.headers["x-ratelimit-remaining"]

    with ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(call, range(200)))
    for who, key in enumerate(keys):
        mine = sorted(int(remaining) for caller, remaining in answers if caller == who)
        assert mine == list(range(75, 100))
        usage = http.get("/api/v1/usage", headers={"X-API-Key": key}).json()
        assert (usage["chamadas"], usage["restantes"]) == (25, 75)


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
    # A request's number is random and its time any: either may hold three digits of a secret.
    said = re.sub(r"[\d.]+ ms [0-9a-f-]{36}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "", printed)
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


def test_a_body_beyond_the_gateways_own_limit_is_refused_unread(base: str) -> None:
    host, port = base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
        assert b" 413 " in connection.recv(200)


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


def test_another_gateway_may_share_a_store(running: Running, http: httpx.Client) -> None:
    key = {"X-API-Key": http.post("/api/v1/keys").json()["api_key"]}
    assert http.post(PIX, json=CHARGE, headers=key).status_code == 200
    with gateway_thread(STORE=running.store) as other:
        assert httpx.get(f"{other}/api/v1/usage", headers=key, timeout=60).json()["chamadas"] == 1


def test_the_operators_tools_find_the_store_that_is_named(running: Running, http: httpx.Client) -> None:
    http.post("/api/v1/keys").raise_for_status()
    found = re.search(r"Keys and counters are in (\S+), kept", running.output.read_text())
    assert found
    done = subprocess.run(
        [sys.executable, "-m", "brskills_server.admin", "list"],
        cwd=ROOT,
        env={**os.environ, "STORE": f"sqlite:///{found[1]}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "acc_" in done.stdout
