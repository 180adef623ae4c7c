"""Contexts that a signal cannot leave half made: a folder that exists already, and that nobody removes."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TypeVar

T = TypeVar("T")

END_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def uninterrupted(make: Callable[[], AbstractContextManager[T]]) -> Iterator[T]:
    """Make and enter a context; a signal to end meanwhile is handled afterwards, and leaves the context.

    Call it before other threads run: one that does not block signals would take them.
    """
    with ExitStack() as stack:
        signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
        try:
            entered = stack.enter_context(make())
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
        yield entered
