"""With ``LOG_FORMAT=json`` every line that is printed is an object, and none holds anything of a caller."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.services.gateway import free_port, start, wait_until_ready
from tests.simulator import Simulator

from .test_connections import HEAD, connect
from .test_gateway import CHARGE, DEMO, PIX
from .test_processes import eventually, workers

CALLERS, ROUNDS = 8, 12


@pytest.fixture
def providers() -> Iterator[Simulator]:
    with Simulator() as simulator:
        yield simulator


def use(base: str, number: int) -> list[str]:
    """Calls of every kind by one caller; returns what must not be printed."""
    with httpx.Client(base_url=base, timeout=60) as http:
        email = f"dona{number}@exemplo-{number}.com.br"
        key = http.post("/api/v1/keys", json={"email": email}).json()["api_key"]
        auth = {"X-API-Key": key}
        name = f"Beltrana{number} Souza"
        keys = [f"fulano{number}@exemplo.com.br", "529.982.247-25", "+5511987654321", "52998224720"]
        for n in range(ROUNDS):
            http.post(PIX, json={**CHARGE, "chave": keys[n % 4], "nome_recebedor": name}, headers=auth)
            http.post(PIX, content=f'{{"chave": "{keys[0]}"'.encode(), headers=auth)
            http.post(f"{PIX}/decode", json={"brcode": f"000201{name}"}, headers=auth)
            http.get(f"/{key}/{email}", headers=auth)
            http.request(f"X{number}SEGREDO", "/", headers={"X-API-Key": f"brsk_{number}segredo"})
            http.post("/mcp", json={"jsonrpc": "2.0", "id": name, "method": email}, headers=auth)
        company = http.get("/api/v1/skills/cnpj/33.000.167/0001-01", headers=auth)
        assert company.status_code == 200
        partners = [partner["nome"] for partner in company.json()["socios"]]
        assert partners
        http.post("/api/v1/keys/rotate", headers=auth)
    return [key, key[5:37], email, name, *keys, *partners, "33.000.167", "33000167", "segredo", "SEGREDO"]


def test_every_line_is_an_object_and_nothing_of_a_caller_is_in_one(
    tmp_path: Path, providers: Simulator
) -> None:
    port, output = free_port(), tmp_path / "output.txt"
    base = f"http://127.0.0.1:{port}"
    urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
    settings = {"LOG_FORMAT": "json", "POWERTOOLS_LOG_LEVEL": "INFO", "SIGNUPS_PER_DAY": "100"}
    process = start(port, output, WORKERS="2", REGISTRY_PROVIDERS="opencnpj", **settings, **urls)
    try:
        wait_until_ready(f"{base}/livez", process, output)
        eventually(lambda: '"ready"' in output.read_text())
        with ThreadPoolExecutor(CALLERS) as pool:
            secrets = [
                secret for found in pool.map(lambda n: use(base, n), range(CALLERS)) for secret in found
            ]
        with connect(base) as unreadable:
            unreadable.sendall(HEAD + b"X-API-Key: segredo\r\nContent-Length: a\r\n\r\n")
            unreadable.recv(100)
        os.kill(workers(process.pid)[0], signal.SIGKILL)
        eventually(lambda: '"worker replaced"' in output.read_text())
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0

    lines: list[dict[str, Any]] = [json.loads(line) for line in output.read_text().splitlines()]
    calls = [line for line in lines if line["message"] == "call" and "service" not in line]
    assert len(calls) > CALLERS * ROUNDS * 6
    for call in calls:
        of_skills = {"calls", "failed"} if "calls" in call else set()
        assert call.keys() - of_skills == {"time", "level", "message", "route", "status", "ms", "request_id"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", call["time"])
        assert re.fullmatch(r"([A-Z]+|-) (/\S*|-)|-", call["route"])
    happened = [line["message"] for line in lines if "route" not in line and "service" not in line]
    assert happened == ["ready", "worker replaced", "stopping", "stopped"]

    printed = output.read_text()
    for line in lines:  # numbers of requests are random, and times any: they may hold digits of a secret
        for fact in ("request_id", "time", "timestamp"):
            printed = printed.replace(str(line.get(fact)), "")
    for secret in {*secrets, DEMO["X-API-Key"]}:
        assert secret not in printed, secret
