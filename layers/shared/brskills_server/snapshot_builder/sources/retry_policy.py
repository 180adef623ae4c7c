"""Waiting times and limits for requests to a server that fails, and their retries."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    after_nothing,
    retry_if_exception_type,
    stop_after_attempt,
    wait_random_exponential,
)

from brskills_server.snapshot_builder.errors import SnapshotError, SourceChangedError, TransientError
from brskills_server.snapshot_builder.sources.least_rate import LeastRate

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Limits in seconds, and counts.

    ``connect``: until a connection exists. ``silence``: without a byte of an answer. ``least_rate``: bytes a
    second in each ``window`` of a file. ``listing``: for a whole listing. ``whole``: for all together.
    ``attempts``: without progress. ``first_wait``, ``longest_wait``: between attempts, at random below a
    limit that doubles. ``longest_asked``: accepted in ``Retry-After``. ``listings``: of a share whose files
    change meanwhile. ``report``: between reports while nothing arrives.
    """

    connect: float = 15
    silence: float = 30
    least_rate: float = 10_000
    window: float = 120
    listing: float = 120
    whole: float = 24 * 3600
    attempts: int = 10
    first_wait: float = 2
    longest_wait: float = 60
    longest_asked: float = 3600
    listings: int = 5
    report: float = 10

    def least_rate_of_answer(self) -> LeastRate:
        """Return the count of an answer that begins now."""
        return LeastRate(self.least_rate, self.window)

    async def retry(
        self, name: str, attempt: Callable[[], Awaitable[Result]], furthest: Callable[[], int] = lambda: 0
    ) -> Result:
        """Repeat an attempt after `TransientError`. Raise `SnapshotError` after too many without progress.

        ``name`` begins each line of the exception. ``furthest``: the bytes of all files so far; when it has
        grown since the attempt before, at the least rate, counting and waiting begin again. (A server that
        allows one connection refuses a second one for as long as the first is busy.)
        """
        reached, at = furthest(), time.monotonic()

        def reset_after_progress(state: RetryCallState) -> None:
            nonlocal reached, at
            grown, passed = furthest() - reached, time.monotonic() - at
            if grown > self.least_rate * passed:
                state.attempt_number = 1
            reached, at = reached + grown, at + passed

        try:
            return await self._retrying(TransientError, self.attempts, reset_after_progress)(attempt)
        except TransientError as last:
            reason = f"given up after {self.attempts} attempts without progress: {last}"
            raise SnapshotError(f"{name}: {reason}") from None
        except SnapshotError as error:
            raise SnapshotError(*(f"{name}: {reason}" for reason in error.reasons)) from None

    async def retry_changed(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """Repeat an attempt after `SourceChangedError`. Raise `SnapshotError` after ``listings`` of them."""
        try:
            return await self._retrying(SourceChangedError, self.listings)(attempt)
        except SourceChangedError as last:
            raise SnapshotError(f"{last} (still so after {self.listings} listings)") from None

    def _retrying(
        self, error: type[Exception], attempts: int, after: Callable[[RetryCallState], None] = after_nothing
    ) -> AsyncRetrying:
        return AsyncRetrying(
            retry=retry_if_exception_type(error),
            stop=stop_after_attempt(attempts),
            wait=self._wait,
            after=after,
            reraise=True,
        )

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, TransientError) else 0
        return max(asked, wait_random_exponential(self.first_wait, self.longest_wait)(state))
