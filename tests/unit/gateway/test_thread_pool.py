"""Each function has its own threads with a bounded queue."""

from __future__ import annotations

import asyncio
import threading

import pytest

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
