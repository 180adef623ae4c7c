"""Sending of many items: batches of 100, several at once, in rounds."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain
from typing import Any

import tenacity

from brskills.answers import Batch
from brskills.client import AsyncClient
from brskills.errors import BrskillsError, ProblemError, QuotaExceeded, UncountedLimit
from brskills.lote.journal import Answer, Journal, PlannedBatch
from brskills.lote.kind import Kind
from brskills.retry import retry_policy

BATCH_SIZE = 100
RETRIES, MAX_WAIT = 8, 180.0  # of one batch: enough for a restart of the service
_between_rounds = tenacity.wait_exponential(multiplier=5, max=60)  # seconds


class BatchSender:
    """A sender of many items that records every answer in a journal.

    ``client`` must not retry: this class has to know each attempt.
    After `run`, ``quota`` or ``failure`` is the reason of an early end; ``resets_at``: the end of the
    quota's month, if known.
    """

    def __init__(self, client: AsyncClient, journal: Journal, kind: Kind, *, concurrency: int = 4) -> None:
        self._client = client
        self._journal = journal
        self._kind = kind
        self._concurrency = concurrency
        self.quota: QuotaExceeded | None = None
        self.resets_at: datetime | None = None
        self.failure: BrskillsError | None = None
        self._limit: UncountedLimit | None = None  # of the last round

    async def run(self, items: Sequence[str], max_rounds: int, on_progress: Callable[[int], object]) -> None:
        """Send distinct ``items`` and close the client. ``max_rounds``: if sources are unavailable.

        ``on_progress`` receives the number of new answers. Raise `BrskillsError` if no batch can be
        answered, as for an invalid key, or `sqlite3.Error` if an answer cannot be recorded.
        """
        self._pending, self._on_progress = dict.fromkeys(items), on_progress
        repeat = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_result(bool),
            stop=tenacity.stop_after_attempt(max_rounds),
            wait=self._wait,
            retry_error_callback=lambda _state: None,
        )
        async with self._client:
            await repeat(self._round)
            if self.quota:
                with suppress(BrskillsError):  # optional: only the summary shows it
                    self.resets_at = self.quota.resets_at or (await self._client.usage()).reinicia_em

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """Return the seconds until the next round: a used-up allowance says when it is full again."""
        return max(_between_rounds(state), (self._limit and self._limit.retry_after) or 0)

    async def _round(self) -> bool:
        """Send all remaining items once. Return whether another round may help."""
        self._limit, unfinished = None, self._journal.open_batches()
        planned = {item for batch in unfinished for item in batch.items}
        rest = [item for item in self._pending if item not in planned]
        starts = range(0, len(rest), BATCH_SIZE)
        batches = chain(unfinished, (self._journal.plan(rest[at : at + BATCH_SIZE]) for at in starts))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._concurrency):
                    group.create_task(self._work(batches))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        self._end_with_allowance()
        return bool(self._pending) and not self._stopped

    def _end_with_allowance(self) -> None:
        if self._limit and (self._limit.retry_after or 0) > MAX_WAIT:  # until the month ends
            self.failure = self._limit

    @property
    def _stopped(self) -> bool:
        return self.quota is not None or self.failure is not None

    async def _work(self, batches: Iterator[PlannedBatch]) -> None:
        while not self._stopped and (batch := next(batches, None)):
            await self._send(batch)

    async def _send(self, batch: PlannedBatch) -> None:
        """Send a batch, with retries, and record its answers."""
        attempts = 0

        async def send() -> Batch[Any]:
            nonlocal attempts
            attempts += 1
            return await self._client.send(self._kind.call(batch.items, batch.key))

        try:
            answer: Batch[Any] = await tenacity.AsyncRetrying(**retry_policy(RETRIES, MAX_WAIT))(send)
        except QuotaExceeded as refused:
            self._journal.drop(batch)
            self.quota = refused
        except BrskillsError as error:
            if not error.transient:
                if isinstance(error, ProblemError) and not batch.is_retry and attempts == 1:
                    self._journal.drop(batch)  # refused, and never sent before
                raise
            self.failure = error
        else:
            self._record(batch, answer, is_retry=batch.is_retry or attempts > 1)

    def _record(self, batch: PlannedBatch, answer: Batch[Any], *, is_retry: bool) -> None:
        answers, has_unanswered = dict[str, Answer](), False
        for item, outcome in zip(batch.items, answer.resultados, strict=True):
            if isinstance(outcome, QuotaExceeded):
                self.quota = outcome
            elif isinstance(outcome, ProblemError) and outcome.transient:
                has_unanswered = True
                self._limit = outcome if isinstance(outcome, UncountedLimit) else self._limit
            else:
                answers[item] = self._kind.answer(outcome)
        # The rest goes into a new batch. But if an earlier answer was lost, more may have been counted than
        # this one reports: send the same batch until it reports all, so that each is counted once.
        self._journal.record(batch, answers, answer.contadas, closed=not (is_retry and has_unanswered))
        new = [item for item in answers if item in self._pending]
        for item in new:
            del self._pending[item]
        self._on_progress(len(new))
