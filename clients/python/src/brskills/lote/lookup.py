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
from brskills.lote.journal import Answer, Journal, Planned
from brskills.retry import retry_policy

BATCH = 100
RETRIES, MAX_WAIT = 8, 180.0  # of one batch: enough for a restart of the service
_between_rounds = tenacity.wait_exponential(multiplier=5, max=60)  # seconds


class BatchLookup:
    """A lookup of many numbers that records every answer in a journal.

    ``client`` must not retry: this class has to know each attempt.
    After `run`, ``quota`` or ``failure`` is the reason of an early end; ``resets_at``: the end of the
    quota's month, if known.
    """

    def __init__(
        self, client: AsyncClient, journal: Journal, separator: str, *, flying: int = 4, **ages: int | None
    ) -> None:
        self._client = client
        self._journal = journal
        self._separator = separator
        self._flying = flying
        self._ages = ages
        self.quota: QuotaExceeded | None = None
        self.resets_at: datetime | None = None
        self.failure: BrskillsError | None = None

    async def run(self, numbers: Sequence[str], rounds: int, on_progress: Callable[[int], object]) -> None:
        """Look up distinct ``numbers``, in up to ``rounds`` while sources are unavailable; close the client.

        ``on_progress`` receives the number of new answers. Raise `BrskillsError` if no batch can be
        answered, as for an invalid key, or `sqlite3.Error` if an answer cannot be recorded.
        """
        self._left, self._on_progress = dict.fromkeys(numbers), on_progress
        repeat = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_result(bool),
            stop=tenacity.stop_after_attempt(rounds),
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
        sent = self._journal.open_batches()
        again = {number for batch in sent for number in batch.numbers}
        fresh = [number for number in self._left if number not in again]
        planned = (self._journal.plan(fresh[at : at + BATCH]) for at in range(0, len(fresh), BATCH))
        batches = chain(sent, planned)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._flying):
                    group.create_task(self._work(batches))
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from None
        return bool(self._left) and not self._stopped

    @property
    def _stopped(self) -> bool:
        return self.quota is not None or self.failure is not None

    async def _work(self, batches: Iterator[Planned]) -> None:
        while not self._stopped and (batch := next(batches, None)):
            await self._send(batch)

    async def _send(self, batch: Planned) -> None:
        """Send a batch, with retries, and record its answers."""
        tries = 0

        async def send() -> Batch[Company]:
            nonlocal tries
            tries += 1
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
                if isinstance(error, ProblemError) and not batch.again and tries == 1:
                    self._journal.drop(batch)  # refused, and never sent before
                raise
            self.failure = error
        else:
            self._record(batch, answer, again=batch.again or tries > 1)

    def _record(self, batch: Planned, answer: Batch[Company], *, again: bool) -> None:
        answers, silent = dict[str, Answer](), False
        for number, outcome in zip(batch.numbers, answer.resultados, strict=True):
            if isinstance(outcome, QuotaExceeded):
                self.quota = outcome
            elif isinstance(outcome, ProblemError) and outcome.transient:
                silent = True
            else:
                answers[number] = self._answer(outcome)
        # The rest goes into a new batch. But if an earlier answer was lost, more may have been counted than
        # this one reports: send the same batch until it reports all, so that each is counted once.
        self._journal.record(batch, answers, answer.contadas, closed=not (again and silent))
        new = [number for number in answers if number in self._left]
        for number in new:
            del self._left[number]
        self._on_progress(len(new))

    def _answer(self, outcome: Company | ProblemError) -> Answer:
        if isinstance(outcome, Company):
            return Answer("encontrada", cells_of(outcome, self._separator))
        if isinstance(outcome, CompanyNotFound):
            return Answer("inexistente" if outcome.confirmed else "nao_encontrada", {})
        return Answer("recusada", {})
