"""Batches and repeated requests over sockets, with several workers; sources fail and workers die."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.simulator.companies import numbers
from tests.simulator.replies import Reply, truth

from .service import (
    CHARGE,
    CNPJ,
    PIX,
    TIMEOUT,
    Served,
    Service,
    calls_of,
    eventually,
    serve,
    serve_here,
    workers,
)


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    with serve_here() as started:
        yield started


@pytest.fixture
def http(service: Served) -> Iterator[httpx.Client]:
    service.reset_providers()
    with service.caller() as client:
        yield client


def send(http: httpx.Client, cnpjs: list[str], key: str | None = None) -> httpx.Response:
    headers = {} if key is None else {"Idempotency-Key": key}
    return http.post(f"{CNPJ}/lote", json={"cnpjs": cnpjs}, headers=headers)


def statuses(answer: httpx.Response) -> list[int]:
    assert answer.status_code == 200, answer.text
    return [entry["status"] for entry in answer.json()["resultados"]]


def failing_for(*cnpjs: str) -> Any:
    """A provider that has the truth of all companies but these."""
    return lambda provider, cnpj: Reply(500, b"") if cnpj in cnpjs else truth(provider, cnpj)


def counted_in_the_store(service: Service) -> int:
    with closing(sqlite3.connect(service.store)) as database:
        (counted,) = database.execute("SELECT coalesce(sum(calls), 0) FROM months").fetchone()
    return int(counted)


@pytest.mark.thorough
def test_a_batch_that_died_with_its_worker_is_answered_when_it_is_sent_again(tmp_path: Path) -> None:
    with serve(tmp_path) as service, service.caller() as http:
        send_until_answered(service, http)


def send_until_answered(service: Service, http: httpx.Client) -> None:
    wanted = numbers("55222333", 5)
    asked, before = service.providers.asked("opencnpj"), counted_in_the_store(service)
    service.providers.play("opencnpj", "silent")
    doomed = workers(service.process.pid)
    with ThreadPoolExecutor(1) as pool:
        dying = pool.submit(send, http, wanted, "a")
        eventually(lambda: service.providers.asked("opencnpj") > asked)
        for worker in doomed:
            os.kill(worker, signal.SIGSTOP)  # before they release anything
        assert counted_in_the_store(service) == before + 5
        for worker in doomed:
            os.kill(worker, signal.SIGKILL)
        with pytest.raises(httpx.TransportError):
            dying.result(TIMEOUT)
    with closing(sqlite3.connect(service.store)) as database, database:
        # A minute ago: a younger attempt might still be answered, and is waited for.
        database.execute("UPDATE claims SET expires_at = expires_at - 60")
    service.reset_providers()
    found: list[httpx.Response] = []

    def is_answered() -> bool:
        with suppress(httpx.TransportError):  # a connection may wait for a worker that has died
            found.append(send(http, wanted, "a"))
        return bool(found)

    eventually(is_answered)
    assert statuses(found[0]) == [200] * 5
    assert found[0].json()["contadas"] == calls_of(http) == 5


def test_what_failed_at_first_is_counted_when_it_is_answered(service: Served, http: httpx.Client) -> None:
    wanted = numbers("11222333", 6)
    costs = []
    for down in (wanted[2:], wanted[4:], []):
        service.providers.play("opencnpj", failing_for(*down))
        answer = send(http, wanted, "a")
        assert statuses(answer) == [503 if cnpj in down else 200 for cnpj in wanted]
        costs.append((answer.json()["contadas"], calls_of(http)))
        assert ("idempotency-replayed" in answer.headers) == (len(costs) > 1)
    assert costs == [(2, 2), (4, 4), (6, 6)]


def test_ten_companies_are_looked_up_at_once(service: Served, http: httpx.Client) -> None:
    service.providers.play("opencnpj", lambda p, c: replace(truth(p, c), after=0.2))
    before = service.providers.connections["opencnpj"]
    wanted = numbers("22333444", 30)
    assert statuses(send(http, wanted)) == [200] * 30
    assert service.providers.connections["opencnpj"] - before <= 11  # kept alive; one for the data's day


def test_a_hundred_companies_of_which_some_fail(service: Served, http: httpx.Client) -> None:
    there, gone, down = numbers("33222333", 92), numbers("99222333", 4), numbers("33444555", 4)
    service.providers.play("opencnpj", failing_for(*down))
    answer = send(http, [*there, *gone, *down])
    assert statuses(answer) == [200] * 92 + [404] * 4 + [503] * 4
    bodies = [entry.get("resposta") or entry["problema"] for entry in answer.json()["resultados"]]
    assert [body["cnpj"] for body in bodies[:92]] == there
    assert {body["confirmado"] for body in bodies[92:96]} == {False}  # a monthly dump alone confirms nothing
    assert all(body["retry_after"] >= 1 for body in bodies[96:])
    assert answer.json()["contadas"] == calls_of(http) == 92
    assert answer.headers["x-ratelimit-remaining"] == "8"
    assert "idempotency-replayed" not in answer.headers


def test_fifty_at_once_under_one_key_are_all_answered_and_counted_once(http: httpx.Client) -> None:
    wanted = numbers("11222333", 3)

    def call(n: int) -> httpx.Response:
        if n % 2:
            return send(http, wanted, "companies")
        return http.post(PIX, json=CHARGE, headers={"Idempotency-Key": "code"})

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(call, range(50)))
    assert Counter(answer.status_code for answer in answers) == {200: 50}
    assert {tuple(statuses(answer)) for answer in answers[1::2]} == {(200, 200, 200)}
    assert len({answer.content for answer in answers[::2]}) == 1
    assert calls_of(http) == 3 + 1


def test_the_path_of_batches_is_no_company(http: httpx.Client) -> None:
    answer = http.get(f"{CNPJ}/lote")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
