"""`make run`'s gateway with settings of its own: limits, mixed callers, logs, a store that goes away."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.services.gateway import ROOT, free_port, gateway, wait_until_ready
from tests.simulator import Simulator

DEMO = {"X-API-Key": "brsk_demo00000000000000000000000000001gbZMd"}
CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}
PIX = "/api/v1/skills/pix"


def test_two_hundred_mixed_calls_at_once_never_mix_callers() -> None:
    with gateway(SIGNUPS_PER_DAY="1000") as base, httpx.Client(base_url=base, timeout=60) as http:
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


def test_limits_of_signups_and_of_the_demo_key_are_by_address() -> None:
    settings = {"SIGNUPS_PER_DAY": "2", "DEMO_MONTHLY_LIMIT": "2", "TRUSTED_PROXIES": "127.0.0.0/8"}
    with gateway(**settings) as base, httpx.Client(base_url=base, timeout=60) as http:

        def come_from(address: str) -> dict[str, str]:
            return {"X-Forwarded-For": address}

        here, there = come_from("2001:db8::1"), come_from("2001:db8:0:1::1")
        assert [http.post("/api/v1/keys", headers=here).status_code for _ in range(2)] == [201, 201]
        refused = http.post("/api/v1/keys", headers=come_from("2001:db8::ffff"))  # the same /64
        assert (refused.status_code, refused.json()["code"]) == (429, "signup_limit")
        assert 0 < int(refused.headers["retry-after"]) <= 86_400
        assert http.post("/api/v1/keys", headers=there).status_code == 201

        assert [http.post(PIX, json=CHARGE, headers={**DEMO, **here}).status_code for _ in range(3)] == [
            200,
            200,
            429,
        ]
        assert http.post(PIX, json=CHARGE, headers={**DEMO, **there}).status_code == 200
        assert http.get("/api/v1/usage", headers={**DEMO, **here}).json()["restantes"] == 0
        demo = next(plan for plan in http.get("/api/v1/plans").json()["planos"] if plan["id"] == "demo")
        assert demo["limite_mensal"] == 2


def test_no_forwarding_header_is_believed_by_default() -> None:
    with gateway(SIGNUPS_PER_DAY="1") as base, httpx.Client(base_url=base, timeout=60) as http:
        assert http.post("/api/v1/keys", headers={"X-Forwarded-For": "198.51.100.1"}).status_code == 201
        assert http.post("/api/v1/keys", headers={"X-Forwarded-For": "198.51.100.2"}).status_code == 429


def test_another_demo_key_may_be_set() -> None:
    with gateway(DEMO_API_KEY="minha-chave-aberta") as base, httpx.Client(base_url=base, timeout=60) as http:
        assert http.post(PIX, json=CHARGE, headers={"X-API-Key": "minha-chave-aberta"}).status_code == 200
        assert http.post(PIX, json=CHARGE, headers=DEMO).status_code == 401


def test_nothing_of_a_caller_or_a_company_is_printed(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        with (
            gateway(
                output, REGISTRY_PROVIDERS="opencnpj,brasilapi", POWERTOOLS_LOG_LEVEL="DEBUG", **urls
            ) as base,
            httpx.Client(base_url=base, timeout=60) as http,
        ):
            key = http.post("/api/v1/keys", json={"email": "segredo@exemplo.com.br"}).json()["api_key"]
            auth = {"X-API-Key": key}
            for chave in (
                "529.982.247-25",
                "52998224725",
                "+5511987654321",
                "fulano.de.tal@exemplo.com.br",
                "529",
            ):
                http.post(
                    PIX, json={**CHARGE, "chave": chave, "nome_recebedor": "Beltrana Souza"}, headers=auth
                )
            http.post(f"{PIX}/decode", json={"brcode": "0002012658beltrano"}, headers=auth)
            company = http.get("/api/v1/skills/cnpj/33000167000101", headers=auth)
            assert company.status_code == 200
            partners = [partner["nome"] for partner in company.json()["socios"]]
            providers.play("opencnpj", "500")
            providers.play("brasilapi", "garbage-200")
            http.get("/api/v1/skills/cnpj/19131243000197", headers=auth)
            http.get("/api/v1/usage", headers={"X-API-Key": "brsk_" + "segredo" * 5 + "abc"})
            http.post(
                PIX, content=b'{"chave": "52998224725"', headers={**auth, "Content-Type": "application/json"}
            )
    printed = output.read_text()
    assert "POST /api/v1/skills/pix 200" in printed
    assert "GET /api/v1/skills/cnpj/{cnpj+} 200" in printed
    assert partners
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
        assert secret not in printed.replace(DEMO["X-API-Key"], ""), secret


def test_a_store_that_goes_away_is_a_clear_503_and_costs_no_key_its_validity(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with (
            gateway(output, AWS_ENDPOINT_URL_DYNAMODB=endpoint) as base,
            httpx.Client(base_url=base, timeout=60) as http,
        ):
            for answer in (
                http.post("/api/v1/keys"),
                http.post(PIX, json=CHARGE, headers=DEMO),
                http.get(
                    "/api/v1/usage", headers={"X-API-Key": "brsk_KKEKaYx8FiYx8hpF4Pz0PWWnkAA1lR1x2Pva9A"}
                ),
            ):
                assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
                assert int(answer.headers["retry-after"]) >= 1
            status = http.get("/api/v1/status")
            assert (status.status_code, status.json()["status"]) == (200, "down")
            assert http.get("/api/v1/plans").status_code == 200
    assert "ended in StoreUnavailable" in output.read_text()  # the authorizer's failure leaves a trace


@pytest.fixture(scope="module")
def plain() -> Iterator[str]:
    with gateway() as base:
        yield base


def test_a_body_beyond_the_gateways_own_limit_is_refused_unread(plain: str) -> None:
    host, port = plain.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
        assert b" 413 " in connection.recv(200)


def test_chunked_bodies_are_read(plain: str) -> None:
    answer = httpx.post(
        f"{plain}{PIX}",
        content=iter([b'{"chave": "pix@exemplo.com.br", ', b'"nome_recebedor": "Loja", "cidade": "Recife"}']),
        headers={**DEMO, "Content-Type": "application/json"},
        timeout=60,
    )
    assert answer.status_code == 200


def test_a_number_with_a_line_break_is_a_faulty_number_and_no_other_route(plain: str) -> None:
    answer = httpx.get(f"{plain}/api/v1/skills/cnpj/33000167000101%0a%0a5", headers=DEMO, timeout=60)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_fields")


def test_a_path_that_is_no_text_is_not_found(plain: str) -> None:
    assert httpx.get(f"{plain}/%ff%fe", timeout=60).json()["code"] == "not_found"


def test_another_store_is_used_as_it_is_and_its_tables_are_made_when_asked(tmp_path: Path) -> None:
    port = free_port()
    store = subprocess.Popen([sys.executable, "-m", "gateway.store", str(port)], cwd=ROOT)
    try:
        wait_until_ready(f"http://127.0.0.1:{port}", store)
        settings = {"AWS_ENDPOINT_URL_DYNAMODB": f"http://127.0.0.1:{port}", "CREATE_TABLES": "1"}
        with gateway(**settings) as base:
            key = {"X-API-Key": httpx.post(f"{base}/api/v1/keys", timeout=60).json()["api_key"]}
            assert httpx.post(f"{base}{PIX}", json=CHARGE, headers=key, timeout=60).status_code == 200
        with gateway(**settings) as base:  # another gateway over the same store, whose tables are there
            assert httpx.get(f"{base}/api/v1/usage", headers=key, timeout=60).json()["chamadas"] == 1
    finally:
        store.terminate()
        store.wait(30)


def test_tables_may_have_other_names() -> None:
    with gateway(ACCESS_TABLE="Chaves", COMPANIES_TABLE="Empresas") as base:
        assert httpx.post(f"{base}{PIX}", json=CHARGE, headers=DEMO, timeout=60).status_code == 200
        assert httpx.get(f"{base}/api/v1/status", timeout=60).json()["status"] == "operational"


def ended_gateway(**environment: str) -> subprocess.CompletedProcess[str]:
    """A gateway that does not start."""
    return subprocess.run(
        [sys.executable, "-m", "gateway"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "layers/shared", **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEMO_MONTHLY_LIMIT", "abc"),
        ("TRUSTED_PROXIES", "zzz"),
        ("OPENCNPJ_URL", "notaurl"),
        ("CNPJA_URL", "http://cnpja.example?path"),
        ("REGISTRY_PROVIDERS", "opencnpj,google"),
        ("STRIPE_PRICE_PRO", "price_1"),
    ],
)
def test_a_setting_that_cannot_be_is_named_in_one_line(name: str, value: str) -> None:
    environment = {**os.environ, "PYTHONPATH": "layers/shared", "PORT": str(free_port()), name: value}
    done = subprocess.run(
        [sys.executable, "-m", "gateway"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert name in done.stderr or "Stripe" in done.stderr


def test_a_taken_port_is_named_with_the_way_out(plain: str) -> None:
    port = plain.rsplit(":", 1)[1]
    environment = {**os.environ, "PYTHONPATH": "layers/shared", "PORT": port}
    done = subprocess.run(
        [sys.executable, "-m", "gateway"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert f"cannot listen at 127.0.0.1:{port}" in done.stderr


def test_the_operators_tools_find_the_store_that_is_named(tmp_path: Path) -> None:
    output = tmp_path / "output.txt"
    bare = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    with gateway(output) as base:
        httpx.post(f"{base}/api/v1/keys", timeout=60).raise_for_status()
        found = re.search(r"store is at (http://127\.0\.0\.1:\d+)", output.read_text())
        assert found
        done = subprocess.run(
            [sys.executable, "-m", "admin", "list"],
            cwd=ROOT,
            env={**bare, "AWS_ENDPOINT_URL_DYNAMODB": found[1]},
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    assert "acc_" in done.stdout
