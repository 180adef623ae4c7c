"""A limit for log lines that connections cause: one a second of each kind, with the number of the others."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

_LIMITED = ("asyncio", "gateway.connections", "uvicorn")
"""Beginnings of the names of loggers whose records connections cause."""

Kind = tuple[str, str, int, type | None]


def call_later(seconds: float, action: Callable[[], None]) -> None:
    """Call ``action`` in another thread."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()


class OnePerSecond(logging.Filter):
    """A filter that passes one record of a kind a second; a second later the next, with how many it replaces.

    A kind is the place that logs and the class of the exception, so callers cannot make new ones.
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
        self._windows: dict[Kind, tuple[float, int]] = {}  # when a record passed, and how many have not since

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to print a record."""
        if not record.name.startswith(_LIMITED):
            return True
        raised = record.exc_info[0] if record.exc_info else None
        kind = (record.name, record.pathname, record.lineno, raised)
        now = self._clock()
        with self._lock:
            passed_at, suppressed = self._windows.get(kind, (float("-inf"), 0))
            if not suppressed and now >= passed_at + 1:
                self._windows[kind] = (now, 0)
                return True
            self._windows[kind] = (passed_at, suppressed + 1)
        if not suppressed:
            try:
                self._later(max(0.0, passed_at + 1 - now), lambda: self._summarize(kind, record))
            except RuntimeError:  # the system allows no further thread
                self._windows.pop(kind, None)
                return True
        return False

    def _summarize(self, kind: Kind, record: logging.LogRecord) -> None:
        with self._lock:
            _, suppressed = self._windows.pop(kind)
        if suppressed > 1:
            record.facts = {**getattr(record, "facts", {}), "suppressed": suppressed - 1}
        logging.getLogger(record.name).handle(record)
