"""A limit for log lines that connections cause: one a second of each kind, with the number of the others."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["OnePerSecond", "call_later"]

_LIMITED = ("asyncio", "gateway.connections", "uvicorn")
"""Loggers of what connections cause, by how their names begin."""

Kind = tuple[str, str, int, type | None]


def call_later(seconds: float, action: Callable[[], None]) -> None:
    """Call ``action`` in a thread of its own."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()


@dataclass(slots=True)
class _Window:
    opened_at: float
    suppressed: int = 0


class OnePerSecond(logging.Filter):
    """Passes one record of a kind a second; at the second's end the next, with how many more there were.

    A kind is the place that logs, with the class of the exception: no caller can make a new one. Only what
    connections cause is limited: the lines of functions and of the gateway itself pass, one for each call.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        later: Callable[[float, Callable[[], None]], None] = call_later,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._later = later
        self._lock = threading.Lock()
        self._windows: dict[Kind, _Window] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Decide whether a record is printed."""
        if not record.name.startswith(_LIMITED):
            return True
        kind = _kind(record)
        now = self._clock()
        with self._lock:
            window = self._windows.get(kind)
            if window is None or (not window.suppressed and now >= window.opened_at + 1):
                self._windows[kind] = _Window(now)
                return True
            window.suppressed += 1
            if window.suppressed == 1:
                self._later(max(0.0, window.opened_at + 1 - now), lambda: self._summarize(kind, record))
        return False

    def _summarize(self, kind: Kind, record: logging.LogRecord) -> None:
        with self._lock:
            others = self._windows.pop(kind).suppressed - 1
        if others:
            record.facts = {**getattr(record, "facts", {}), "suppressed": others}
        logging.getLogger(record.name).handle(record)


def _kind(record: logging.LogRecord) -> Kind:
    raised = record.exc_info[0] if record.exc_info else None
    return record.name, record.pathname, record.lineno, raised
