"""How long to wait for a server, and when to give up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_random_exponential,
)

from brskills_server.snapshot_builder.errors import SnapshotError, SourceChangedError, TransientError

__all__ = ["RetryPolicy", "begin_anew", "persist"]

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Seconds, but for the counts.

    ``connect``: until a connection stands. ``silence``: without a byte, then an answer is broken off.
    ``listing``: for a whole listing. ``attempts``: without any progress. ``first_wait``, ``longest_wait``:
    between attempts, a random part of a limit that doubles. ``longest_asked``: that a server may ask us to
    wait. ``listings``: how often to begin with a new one, where files change meanwhile.
    """

    connect: float = 15
    silence: float = 30
    listing: float = 120
    attempts: int = 10
    first_wait: float = 2
    longest_wait: float = 60
    longest_asked: float = 3600
    listings: int = 5

    def backoff(self, state: RetryCallState) -> float:
        """Seconds to the next attempt: at random, but not less than the server asks for."""
        told = state.outcome.exception() if state.outcome else None
        asked = told.retry_after if isinstance(told, TransientError) else 0
        return max(asked, wait_random_exponential(self.first_wait, self.longest_wait)(state))


async def persist(
    what: str,
    attempt: Callable[[], Awaitable[Result]],
    retry_policy: RetryPolicy,
    furthest: Callable[[], int],
) -> Result:
    """Repeat an attempt while it is ``TransientError``; ``SnapshotError`` after too many without progress.

    ``what``: the beginning of each line of a fault. ``furthest``: how far everything is; where it has grown
    since the last failure, counting and waiting begin anew. (A server that allows one connection refuses
    the second for as long as the first one is busy.)
    """
    reached = furthest()

    def notice_progress(state: RetryCallState) -> None:
        nonlocal reached
        if furthest() > reached:
            reached, state.attempt_number = furthest(), 1

    retrying = AsyncRetrying(
        retry=retry_if_exception_type(TransientError),
        stop=stop_after_attempt(retry_policy.attempts),
        wait=retry_policy.backoff,
        after=notice_progress,
        reraise=True,
    )
    try:
        return await retrying(attempt)
    except TransientError as last:
        fault = f"given up after {retry_policy.attempts} attempts without progress: {last}"
        raise SnapshotError(f"{what}: {fault}") from None
    except SnapshotError as fault:
        raise SnapshotError(*(f"{what}: {line}" for line in fault.reasons)) from None


async def begin_anew(attempt: Callable[[], Awaitable[Result]], retry_policy: RetryPolicy) -> Result:
    """Repeat an attempt while the share is ``SourceChangedError`` under it; ``SnapshotError`` if it does not settle."""
    retrying = AsyncRetrying(
        retry=retry_if_exception_type(SourceChangedError),
        stop=stop_after_attempt(retry_policy.listings),
        wait=retry_policy.backoff,
        reraise=True,
    )
    try:
        return await retrying(attempt)
    except SourceChangedError as last:
        raise SnapshotError(f"{last} (still so after {retry_policy.listings} listings)") from None
