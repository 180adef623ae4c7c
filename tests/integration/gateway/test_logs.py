"""With ``LOG_FORMAT=json`` every printed line is an object, and none holds anything of a caller."""

from __future__ import annotations

import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from .service import CHARGE, DEMO, PIX, TIMEOUT, connect, eventually, serve, workers
from .test_connections import HEAD

CALLERS, ROUNDS = 3, 4


def use(base: str, number: int) -> list[str]:
    """Make calls of every kind; return what must not be printed."""
    with httpx.Client(base_url=base, timeout=TIMEOUT) as http:
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
        hidden = _watch(http, auth, name) + _receive(http, auth, name)
        http.post("/api/v1/keys/rotate", headers=auth)
    hidden += [key, key[5:37], email, name, *keys, *partners]
    return [*hidden, "33.000.167", "33000167", "segredo", "SEGREDO"]


def _watch(http: httpx.Client, auth: dict[str, str], name: str) -> list[str]:
    """Watch a company under a name of the account's; return what must not be printed."""
    watches, number = "/api/v1/watches", "33000167000101"
    answers = [
        http.post(watches, json={"cnpj": number, "referencia": name}, headers=auth),
        http.post(watches, json={"cnpjs": [{"cnpj": number, "referencia": name}, name]}, headers=auth),
        http.post(watches, json={"cnpj": name}, headers=auth),
        http.get(f"{watches}/{number}", headers=auth),
        http.delete(f"{watches}/{number}", headers=auth),
        http.get("/api/v1/changes", headers=auth),
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 422, 200, 204, 200]
    return [number]


def _receive(http: httpx.Client, auth: dict[str, str], name: str) -> list[str]:
    """Manage a webhook; return what must not be printed."""
    webhooks, url = "/api/v1/webhooks", "https://hooks.invalid/a-hidden-path?token=abc"
    made = http.post(webhooks, json={"url": url, "descricao": name}, headers=auth).json()
    one = f"{webhooks}/{made['id']}"
    rotated = http.post(f"{one}/rotate", headers=auth).json()
    answers = [
        http.get(one, headers=auth),
        http.patch(one, json={"url": f"{url}#x"}, headers=auth),
        http.post(webhooks, json={"url": f"http://{name}"}, headers=auth),
        http.post(f"{one}/test", headers=auth),
        http.delete(one, headers=auth),
    ]
    assert [answer.status_code for answer in answers] == [200, 422, 422, 202, 204]
    return [made["id"], made["segredo"], rotated["segredo"], "a-hidden-path", "token=abc"]


def test_every_line_is_an_object_and_nothing_of_a_caller_is_in_one(tmp_path: Path) -> None:
    with serve(tmp_path, LOG_FORMAT="json", POWERTOOLS_LOG_LEVEL="INFO", STORE="memory") as service:
        with ThreadPoolExecutor(CALLERS) as pool:
            found = list(pool.map(lambda n: use(service.base, n), range(CALLERS)))
        with connect(service.base) as unreadable:
            unreadable.sendall(HEAD + b"X-API-Key: segredo\r\nContent-Length: a\r\n\r\n")
            unreadable.recv(100)
        os.kill(workers(service.process.pid)[0], signal.SIGKILL)
        eventually(lambda: '"worker replaced"' in service.output.read_text())
        service.stop()

    lines = service.lines()
    calls = [line for line in lines if line["message"] == "call" and "service" not in line]
    assert len(calls) > CALLERS * ROUNDS * 6
    for call in calls:
        of_skills = {"calls", "failed"} if "calls" in call else set()
        assert call.keys() - of_skills == {"time", "level", "message", "route", "status", "ms", "request_id"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", call["time"])
        assert re.fullmatch(r"([A-Z]+|-) (/\S*|-)|-", call["route"])
    events = [line["message"] for line in lines if "route" not in line and "service" not in line]
    assert events == ["ready", "worker replaced", "stopping", "stopped"]

    routes = {call["route"] for call in calls}
    assert {"DELETE /api/v1/watches/{cnpj+}", "POST /api/v1/webhooks/{id}/rotate"} <= routes
    printed = service.output.read_text()
    for line in lines:  # random numbers of requests, and times, may hold digits of a secret
        for field in ("request_id", "time", "timestamp"):
            printed = printed.replace(str(line.get(field)), "")
    for secret in {DEMO["X-API-Key"], *(secret for secrets in found for secret in secrets)}:
        assert secret not in printed, secret
