"""Limits on memory, time and retries with hostile servers."""

from __future__ import annotations

import asyncio
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from brskills import AsyncClient, Client, ConfigurationError, ConnectionFailed, Status, UnexpectedAnswer
from brskills.body import MAX_BYTES
from tests.client.answering import COMPANY, KEY, URL, Service, json_answer, problem
from tests.client.hostile import Send, bomb, served, trickle
from tests.for_each import for_each

HEAD = b"HTTP/1.1 200 OK\r\n"


def ask(url: str, **options: Any) -> Status:
    with Client(base_url=url, retries=0, **options) as client:
        return client.status()


def ask_async(url: str, **options: Any) -> Status:
    async def send() -> Status:
        async with AsyncClient(base_url=url, retries=0, **options) as client:
            return await client.status()

    return asyncio.run(send())


BOTH = pytest.mark.parametrize("ask", [ask, ask_async])
Ask = Callable[..., Status]


@BOTH
def test_memory_limit_of_compressed_answers(ask: Ask) -> None:
    with served(bomb(64)) as (url, asked):
        tracemalloc.start()
        try:
            with pytest.raises(UnexpectedAnswer, match="more than 8 MB"):
                ask(url)
            most = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert most < 5 * MAX_BYTES
    assert len(asked) == 1


GZIP_HEADER_WITH_AN_ENDLESS_NAME = b"\x1f\x8b\x08\x08" + bytes(6)


@BOTH
@pytest.mark.parametrize(
    "start",
    [b"\r\n", b"Content-Encoding: gzip\r\n\r\n" + GZIP_HEADER_WITH_AN_ENDLESS_NAME],
    ids=["plain", "gzip"],
)
def test_size_limit_of_endless_answers(ask: Ask, start: bytes) -> None:
    def answer(send: Send) -> None:
        send(HEAD + start)
        while True:
            send(b"x" * 65_536)

    with served(answer) as (url, _), pytest.raises(UnexpectedAnswer, match="more than 8 MB"):
        ask(url)


@BOTH
@pytest.mark.parametrize("coding", ["br", "gzip, gzip"])
def test_other_encodings_are_rejected(ask: Ask, coding: str) -> None:
    def answer(send: Send) -> None:
        send(HEAD + f"Content-Encoding: {coding}\r\nContent-Length: 2\r\n\r\n{{}}".encode())

    with served(answer) as (url, _), pytest.raises(UnexpectedAnswer, match="encoding"):
        ask(url)


@BOTH
@pytest.mark.parametrize(
    "start", [b"", HEAD, HEAD + b"X-A: ", HEAD + b"\r\n"], ids=["status", "name", "value", "body"]
)
def test_deadline_of_slow_answers(ask: Ask, start: bytes) -> None:
    with served(trickle(start)) as (url, asked), pytest.raises(ConnectionFailed, match="Timeout"):
        ask(url, timeout=0.3)
    assert len(asked) == 1


def test_deadline_on_a_reused_connection() -> None:
    content = b'{"planos": []}'
    is_read = threading.Event()
    answers = iter([HEAD + f"Content-Length: {len(content)}\r\n\r\n".encode() + content])

    def answer(send: Send) -> None:
        send(next(answers))
        is_read.wait(5)
        time.sleep(0.1)  # bytes before the second request would make the client open another connection
        trickle(HEAD)(send)

    with served(answer) as (url, asked), Client(base_url=url, retries=0, timeout=20, deadline=0.2) as client:
        assert client.plans().planos == ()
        is_read.set()
        with pytest.raises(ConnectionFailed):
            client.plans()
        assert len(asked) == 1


@for_each("deadline", [0, float("nan"), float("inf")])
@for_each("kind", [Client, AsyncClient])
def test_invalid_deadlines(kind: Any, deadline: float) -> None:
    with pytest.raises(ConfigurationError, match="deadline"):
        kind(KEY, URL, deadline=deadline)


@pytest.mark.parametrize(
    ("timeout", "deadline", "limits"), [(None, None, (30, 120)), (3, None, (3, 3)), (300, 9, (300, 9))]
)
def test_a_given_timeout_limits_the_whole_attempt(
    timeout: float | None, deadline: float | None, limits: tuple[float, float]
) -> None:
    settings = Client(KEY, URL, timeout=timeout, deadline=deadline).settings
    assert (settings.timeout, settings.deadline) == limits


def test_gzip_is_decoded() -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        assert request.headers["accept-encoding"] == "gzip"
        packed = zlib.compress(json_answer(COMPANY).content, wbits=31)
        return httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(packed))

    client = Client(KEY, URL, transport=httpx.MockTransport(serve))
    assert client.company(191).cnpj == "SANDBOX1000170"


YESTERDAY = format_datetime(datetime.now(UTC) - timedelta(1), usegmt=True)


@pytest.mark.parametrize("asked", ["0", "-5", YESTERDAY], ids=["0", "-5", "yesterday"])
def test_minimum_wait_between_retries(asked: str, waits: list[float]) -> None:
    busy = problem(503, "sources_unavailable", {"Retry-After": asked})
    with pytest.raises(Exception, match="Título"):
        Client(KEY, URL, transport=Service(busy).transport, retries=5).company(191)
    assert len(waits) == 5
    assert 0.5 <= min(waits) <= max(waits) <= 20


def test_maximum_wait_between_retries(waits: list[float]) -> None:
    service = Service(problem(503, "sources_unavailable", {"Retry-After": "86401"}))
    with pytest.raises(Exception, match="Título"):
        Client(KEY, URL, transport=service.transport, max_wait=float("inf")).company(191)
    assert (waits, len(service.requests)) == ([], 1)
