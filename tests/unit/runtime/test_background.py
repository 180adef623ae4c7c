"""Work beside the calls: by events on AWS, elsewhere in a few threads."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from brskills_server.adapters.function_events import FunctionEvents
from brskills_server.runtime.background import THREADS, Threads, open_background


def test_on_aws_the_function_sends_itself_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(FunctionEvents, "send", lambda events, event: sent.append((events._function, event)))
    start = open_background(lambda *_: sent.append("here"), {"AWS_LAMBDA_FUNCTION_NAME": "f"})
    start({"a": 1})
    assert sent == [("f:live", {"a": 1})]


def test_elsewhere_a_thread_handles_it_without_a_context() -> None:
    handled: list[Any] = []
    done = threading.Event()

    def handle(event: Any, context: Any) -> None:
        handled.append((event, context, threading.current_thread().daemon))
        done.set()

    open_background(handle, {})({"a": 1})
    assert done.wait(30)
    assert handled == [({"a": 1}, None, True)]


def test_work_without_room_is_not_begun_and_room_comes_back() -> None:
    begun, go, ended = threading.Semaphore(0), threading.Event(), threading.Semaphore(0)
    handled: list[Any] = []

    def handle(event: Any, _: Any) -> None:
        handled.append(event)
        begun.release()
        go.wait(30)
        ended.release()

    threads = Threads(handle)
    for number in range(THREADS):
        threads.start({"number": number})
        assert begun.acquire(timeout=30)
    threads.start({"number": "late"})
    go.set()
    for _ in range(THREADS):
        assert ended.acquire(timeout=30)
    while not begun.acquire(timeout=0.05):  # a thread gives its room back right after
        threads.start({"number": "new"})
    assert {"number": "late"} not in handled


def test_a_thread_that_could_not_start_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    done = threading.Event()
    threads = Threads(lambda *_: done.set())
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        for _ in range(THREADS + 1):
            threads.start({})
    threads.start({})
    assert done.wait(30)
