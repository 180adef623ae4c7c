"""Batches and repeated requests over sockets, with several workers; sources fail and workers die."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.services.gateway import free_port, start, wait_until_ready
from tests.simulator import Simulator
from tests.simulator.companies import numbers
from tests.simulator.replies import Reply, truth

from .test_gateway import CHARGE, PIX
from .test_processes import PATIENCE, eventually, workers

CNPJ = "/api/v1/skills/cnpj"


@dataclass(frozen=True)
class Started:
    """A gateway of several workers over a file, and its only provider; ``http`` has a key of its own."""

    process: int
    store: Path
    providers: Simulator
    http: httpx.Client

    def calls(self) -> int:
        """What the ledger says."""
        counted: int = self.http.get("/api/v1/usage").json()["chamadas"]
        return counted

    def counted_in_the_store(self) -> int:
        """The same, without the gateway."""
        with closing(sqlite3.connect(self.store)) as database:
            (counted,) = database.execute("SELECT coalesce(sum(calls), 0) FROM months").fetchone()
        return int(counted)

    def send(self, cnpjs: list[str], key: str | None = None) -> httpx.Response:
        """A batch of companies."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return self.http.post(f"{CNPJ}/lote", json={"cnpjs": cnpjs}, headers=headers)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    port, store = free_port(), tmp_path / "brskills.db"
    base = f"http://127.0.0.1:{port}"
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings = {"STORE": f"sqlite:///{store}", "REGISTRY_PROVIDERS": "opencnpj", "WORKERS": "3"}
        output = tmp_path / "output.txt"
        process = start(port, output, **settings, **urls)
        try:
            wait_until_ready(f"{base}/api/v1/plans", process)
            eventually(lambda: "Keys and counters are" in output.read_text())
            key = httpx.post(f"{base}/api/v1/keys", timeout=PATIENCE).json()["api_key"]
            with httpx.Client(base_url=base, timeout=PATIENCE, headers={"X-API-Key": key}) as http:
                yield Started(process.pid, store, providers, http)
        finally:
            process.kill()
            process.wait()


def statuses(answer: httpx.Response) -> list[int]:
    assert answer.status_code == 200, answer.text
    return [entry["status"] for entry in answer.json()["resultados"]]


def failing_for(*cnpjs: str) -> Any:
    """A provider that has the truth of all companies but these."""
    return lambda provider, cnpj: Reply(500, b"") if cnpj in cnpjs else truth(provider, cnpj)


def test_a_hundred_companies_of_which_some_fail(started: Started) -> None:
    there, gone, down = numbers("11222333", 92), numbers("99222333", 4), numbers("11444555", 4)
    started.providers.play("opencnpj", failing_for(*down))
    answer = started.send([*there, *gone, *down])
    assert statuses(answer) == [200] * 92 + [404] * 4 + [503] * 4
    bodies = [entry.get("resposta") or entry["problema"] for entry in answer.json()["resultados"]]
    assert [body["cnpj"] for body in bodies[:92]] == there
    assert {body["confirmado"] for body in bodies[92:96]} == {False}  # a monthly dump alone confirms nothing
    assert all(body["retry_after"] >= 1 for body in bodies[96:])
    assert answer.json()["contadas"] == started.calls() == 92
    assert answer.headers["x-ratelimit-remaining"] == "8"
    assert "idempotency-replayed" not in answer.headers


def test_ten_companies_are_asked_for_at_once(started: Started) -> None:
    started.providers.play("opencnpj", lambda p, c: replace(truth(p, c), after=0.2))
    wanted = numbers("11222333", 30)
    assert statuses(started.send(wanted)) == [200] * 30
    assert started.providers.connections["opencnpj"] <= 11  # kept from company to company; one for the day


def test_fifty_at_once_under_one_key_are_all_answered_and_counted_once(started: Started) -> None:
    wanted = numbers("11222333", 3)

    def send(n: int) -> httpx.Response:
        if n % 2:
            return started.send(wanted, "companies")
        return started.http.post(PIX, json=CHARGE, headers={"Idempotency-Key": "code"})

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(send, range(50)))
    assert Counter(answer.status_code for answer in answers) == {200: 50}
    assert {tuple(statuses(answer)) for answer in answers[1::2]} == {(200, 200, 200)}
    assert len({answer.content for answer in answers[::2]}) == 1
    assert started.calls() == 3 + 1


def test_a_batch_that_died_with_its_worker_is_answered_when_it_is_sent_again(started: Started) -> None:
    wanted = numbers("11222333", 5)
    started.providers.play("opencnpj", "silent")
    doomed = workers(started.process)
    with ThreadPoolExecutor(1) as pool:
        dying = pool.submit(started.send, wanted, "a")
        eventually(lambda: started.providers.asked("opencnpj") > 0)
        for worker in doomed:
            os.kill(worker, signal.SIGSTOP)  # before they give anything back
        assert started.counted_in_the_store() == 5
        for worker in doomed:
            os.kill(worker, signal.SIGKILL)
        with pytest.raises(httpx.TransportError):
            dying.result(PATIENCE)
    started.providers.play("opencnpj", "truth")
    assert statuses(again := sent_until_answered(started, wanted)) == [200] * 5
    assert again.json()["contadas"] == started.calls() == 5


def sent_until_answered(started: Started, wanted: list[str]) -> httpx.Response:
    """As a client repeats it whose connection breaks: one may wait for a worker that has died."""
    found: list[httpx.Response] = []

    def is_answered() -> bool:
        with suppress(httpx.TransportError):
            found.append(started.send(wanted, "a"))
        return bool(found)

    eventually(is_answered)
    return found[0]


def test_what_failed_at_first_is_counted_when_it_is_answered(started: Started) -> None:
    wanted = numbers("11222333", 6)
    costs = []
    for down in (wanted[2:], wanted[4:], wanted[4:], []):
        started.providers.play("opencnpj", failing_for(*down))
        answer = started.send(wanted, "a")
        assert statuses(answer) == [503 if cnpj in down else 200 for cnpj in wanted]
        costs.append((answer.json()["contadas"], started.calls()))
        assert ("idempotency-replayed" in answer.headers) == (len(costs) > 1)
    assert costs == [(2, 2), (4, 4), (4, 4), (6, 6)]


def test_the_address_of_batches_is_no_companys(started: Started) -> None:
    answer = started.http.get(f"{CNPJ}/lote")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert started.http.get(f"{CNPJ}/SANDBOX1000170").status_code == 200
