"""Lookups of many companies: batches of 100, several at once, in rounds."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain

import tenacity

from brskills.answers import Batch
from brskills.client import AsyncClient
from brskills.company import Company
from brskills.errors import BrskillsError, CompanyNotFound, ProblemError, QuotaExceeded
from brskills.lote.cells import cells_of
from brskills.lote.journal import Answer, Journal, PlannedBatch
from brskills.retry import retry_policy

BATCH_SIZE = 100
RETRIES, MAX_WAIT = 8, 180.0  # of one batch: enough for a restart of the service
_between_rounds = tenacity.wait_exponential(multiplier=5, max=60)  # seconds


class BatchLookup:
    """A lookup of many numbers that records every answer in a journal.

    ``client`` must not retry: this class has to know each attempt.
    After `run`, ``quota`` or ``failure`` is the reason of an early end; ``resets_at``: the end of the
    quota's month, if known.
    """

    def __init__(
        self,
        client: AsyncClient,
        journal: Journal,
        separator: str,
        *,
        concurrency: int = 4,
        idade_maxima: int | None = None,
        idade_dados_maxima: int | None = None,
    ) -> None:
        self._client = client
        self._journal = journal
        self._separator = separator
        self._concurrency = concurrency
        self._ages = {"idade_maxima": idade_maxima, "idade_dados_maxima": idade_dados_maxima}
        self.quota: QuotaExceeded | None = None
        self.resets_at: datetime | None = None
        self.failure: BrskillsError | None = None

    async def run(
        self, numbers: Sequence[str], max_rounds: int, on_progress: Callable[[int], object]
    ) -> None:
        """Look up distinct ``numbers`` and close the client. ``max_rounds``: if sources are unavailable.

        ``on_progress`` receives the number of new answers. Raise `BrskillsError` if no batch can be
        answered, as for an invalid key, or `sqlite3.Error` if an answer cannot be recorded.
        """
        self._pending, self._on_progress = dict.fromkeys(numbers), on_progress
        repeat = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_result(bool),
            stop=tenacity.stop_after_attempt(max_rounds),
            wait=_between_rounds,
            retry_error_callback=lambda _state: None,
        )
        async with self._client:
            await repeat(self._round)
            if self.quota:
                with suppress(BrskillsError):  # optional: only the summary shows it
                    self.resets_at = self.quota.resets_at or (await self._client.usage()).reinicia_em

    async def _round(self) -> bool:
        """Send all remaining numbers once. Return whether another round may help."""
        unfinished = self._journal.open_batches()
        planned = {number for batch in unfinished for number in batch.numbers}
        rest = [number for number in self._pending if number not in planned]
        starts = range(0, len(rest), BATCH_SIZE)
        batches = chain(unfinished, (self._journal.plan(rest[at : at + BATCH_SIZE]) for at in starts))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._concurrency):
                    group.create_task(self._work(batches))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        return bool(self._pending) and not self._stopped

    @property
    def _stopped(self) -> bool:
        return self.quota is not None or self.failure is not None

    async def _work(self, batches: Iterator[PlannedBatch]) -> None:
        while not self._stopped and (batch := next(batches, None)):
            await self._send(batch)

    async def _send(self, batch: PlannedBatch) -> None:
        """Send a batch, with retries, and record its answers."""
        attempts = 0

        async def send() -> Batch[Company]:
            nonlocal attempts
            attempts += 1
            return await self._client.companies(
                batch.numbers, partial=True, idempotency_key=batch.key, **self._ages
            )

        try:
            answer: Batch[Company] = await tenacity.AsyncRetrying(**retry_policy(RETRIES, MAX_WAIT))(send)
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

    def _record(self, batch: PlannedBatch, answer: Batch[Company], *, is_retry: bool) -> None:
        answers, has_unanswered = dict[str, Answer](), False
        for number, outcome in zip(batch.numbers, answer.resultados, strict=True):
            if isinstance(outcome, QuotaExceeded):
                self.quota = outcome
            elif isinstance(outcome, ProblemError) and outcome.transient:
                has_unanswered = True
            else:
                answers[number] = self._answer(outcome)
        # The rest goes into a new batch. But if an earlier answer was lost, more may have been counted than
        # this one reports: send the same batch until it reports all, so that each is counted once.
        self._journal.record(batch, answers, answer.contadas, closed=not (is_retry and has_unanswered))
        new = [number for number in answers if number in self._pending]
        for number in new:
            del self._pending[number]
        self._on_progress(len(new))

    def _answer(self, outcome: Company | ProblemError) -> Answer:
        if isinstance(outcome, Company):
            return Answer("encontrada", cells_of(outcome, self._separator))
        if isinstance(outcome, CompanyNotFound):
            return Answer("inexistente" if outcome.confirmed else "nao_encontrada", {})
        return Answer("recusada", {})
