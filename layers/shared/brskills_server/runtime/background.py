"""Work beside the calls: on AWS the function runs it by another event, elsewhere a thread of the process.

Nothing is promised: work is stored before, and started again if it was not done.
"""

import os
from collections.abc import Callable, Mapping
from threading import BoundedSemaphore, Thread
from typing import Any

Event = dict[str, Any]
Handler = Callable[[Event, Any], object]

THREADS = 16
"""Work of one process at the same time, most of which waits for others: several times what one account may
have. What has no room is not begun."""


def open_background(handler: Handler, environment: Mapping[str, str] = os.environ) -> Callable[[Event], None]:
    """Return a function that has an event handled later; ``handler``: of the function this process runs."""
    if function := environment.get("AWS_LAMBDA_FUNCTION_NAME"):
        from brskills_server.adapters.function_events import FunctionEvents  # loads botocore

        return FunctionEvents(function).send
    return Threads(handler).start


class Threads:
    """Threads that end with the process, whatever they do."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._room = BoundedSemaphore(THREADS)

    def start(self, event: Event) -> None:
        """Handle an event in a thread, if there is room."""
        if self._room.acquire(blocking=False):
            try:
                Thread(target=self._run, args=(event,), name="background", daemon=True).start()
            except RuntimeError:  # the system allows no further thread
                self._room.release()

    def _run(self, event: Event) -> None:
        try:
            self._handler(event, None)
        finally:
            self._room.release()
