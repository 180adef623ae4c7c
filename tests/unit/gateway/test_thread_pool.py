"""Each function has its own threads with a bounded queue."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from brskills_server.gateway.application import Gateway
from brskills_server.gateway.template import load
from brskills_server.gateway.thread_pool import PoolFull, ThreadPool


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.thread_pool.THREADS", 2)
    monkeypatch.setattr("brskills_server.gateway.thread_pool.QUEUE_SIZE", 3)


def test_calls_run_at_once_then_wait_then_are_refused() -> None:
    async def run() -> None:
        threads, go = ThreadPool("x"), threading.Event()
        running: set[str] = set()

        def work() -> str:
            running.add(threading.current_thread().name)
            go.wait(30)
            return "done"

        calls = [asyncio.ensure_future(threads.run(work)) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(PoolFull):
            await threads.run(work)
        assert await ThreadPool("y").run(lambda: 1) == 1  # another function's threads are free
        go.set()
        assert await asyncio.gather(*calls) == ["done"] * 5
        assert len(running) == 2
        assert await threads.run(work) == "done"

    asyncio.run(run())


def test_what_work_raises_is_raised_and_leaves_its_place() -> None:
    async def run() -> None:
        threads = ThreadPool("x")
        for _ in range(10):
            with pytest.raises(ZeroDivisionError):
                await threads.run(lambda: 1 / 0)

    asyncio.run(run())


def test_a_call_for_which_there_is_no_room_is_throttled(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(_pool: ThreadPool, _work: object) -> None:
        raise PoolFull

    monkeypatch.setattr(ThreadPool, "run", full)
    sent: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": "/api/v1/plans",
        "raw_path": b"/api/v1/plans",
        "query_string": b"",
        "headers": [],
        "client": ("127.0.0.1", 1),
    }
    asyncio.run(Gateway(load())(scope, receive, send))
    headers = dict(sent[0]["headers"])  # type: ignore[call-overload]
    assert (sent[0]["status"], headers[b"Retry-After"]) == (429, b"1")
    assert json.loads(sent[1]["body"])["code"] == "throttled"  # type: ignore[arg-type]
