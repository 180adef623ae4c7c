"""Of what connections cause one line a second is printed, and no line is lost from the count."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.gateway.log import JsonLines, report, report_connection_issue
from brskills_server.gateway.log_limit import OnePerSecond, call_later


class Time:
    """A clock with what is to be done later, moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self._due: list[tuple[float, Callable[[], None]]] = []

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        self._due.append((self.now + seconds, action))

    def move(self, seconds: float) -> None:
        until = self.now + seconds
        while due := [entry for entry in self._due if entry[0] <= until]:
            first = min(due, key=lambda entry: entry[0])
            self._due.remove(first)
            self.now = max(self.now, first[0])
            first[1]()
        self.now = until


class Printed(logging.Handler):
    """Lines with the time of each."""

    def __init__(self, time: Time) -> None:
        super().__init__()
        self.time = time
        self.lines: list[tuple[float, dict[str, object]]] = []
        self.setFormatter(JsonLines())
        self.addFilter(OnePerSecond(lambda: time.now, time.later))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append((self.time.now, json.loads(self.format(record))))


@pytest.fixture
def printed() -> Iterator[Printed]:
    handler = Printed(Time())
    with Attached(handler):
        yield handler


class Attached:
    """Attaches a handler for a while."""

    def __init__(self, handler: logging.Handler) -> None:
        self._handler = handler

    def __enter__(self) -> None:
        logging.getLogger().addHandler(self._handler)

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self._handler)


@given(st.lists(st.floats(0, 3), min_size=1, max_size=50))
def test_at_most_one_line_a_second_and_each_event_is_in_one(pauses: list[float]) -> None:
    handler = Printed(Time())
    with Attached(handler):
        for pause in pauses:
            report_connection_issue("connection ended: too many")
            handler.time.move(pause)
        handler.time.move(2)
    times = [time for time, _ in handler.lines]
    assert all(later - earlier >= 1 - 1e-9 for earlier, later in pairwise(times))
    assert sum(1 + int(str(line.get("suppressed", 0))) for _, line in handler.lines) == len(pauses)


def test_kinds_do_not_suppress_each_other(printed: Printed) -> None:
    asyncio_logger = logging.getLogger("asyncio")
    for error in (OSError(24, "x"), ValueError("x"), OSError(23, "x")):
        asyncio_logger.error("trouble %s", id(error), exc_info=error)
    report_connection_issue("connection ended: too many")
    report_connection_issue("connection refused: too few descriptors")
    assert len(printed.lines) == 4  # the second OSError is of the first one's kind
    printed.time.move(1)
    assert len(printed.lines) == 5


def test_a_line_is_printed_where_no_thread_can_start_for_its_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    time = Time()
    monkeypatch.setattr(time, "later", refuse)
    printed = Printed(time)
    with Attached(printed):
        for _ in range(3):
            report_connection_issue("connection ended: too many")
    assert len(printed.lines) == 3


def test_what_happens_to_the_gateway_is_always_printed(printed: Printed) -> None:
    logging.getLogger("gateway").setLevel("INFO")
    for _ in range(3):
        report("worker replaced", worker=1)
    assert len(printed.lines) == 3


def test_later_does_not_wait() -> None:
    done = threading.Event()
    call_later(0, done.set)
    assert done.wait(30)
