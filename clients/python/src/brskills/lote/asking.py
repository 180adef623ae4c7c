"""Asks the service for what is not answered yet: batches of a hundred, several in flight, in rounds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain

import tenacity

from brskills.batch import Batch
from brskills.client import AsyncClient
from brskills.company import Company
from brskills.errors import BrskillsError, CompanyNotFound, ProblemError, QuotaExceeded
from brskills.lote.cells import cells_of
from brskills.lote.journal import Answer, Journal, Planned
from brskills.repeating import repeating_async

__all__ = ["ProviderCaller"]

BATCH = 100
RETRIES, MAX_WAIT = 8, 180.0  # of one batch: a service that restarts is waited for
_between_rounds = tenacity.wait_exponential(multiplier=5, max=60)  # seconds


class ProviderCaller:
    """Asks for numbers, and notes every answer in a journal.

    ``client`` must not retry: whether a batch was sent before has to be known here. ``on_progress`` is
    called with how many numbers were just answered. After ``ask``, ``quota`` or ``failure`` is what
    ended it early: a month without room, until ``resets_at`` if that is known, or a silent service.
    """

    def __init__(
        self,
        client: AsyncClient,
        journal: Journal,
        separator: str,
        on_progress: Callable[[int], None],
        *,
        flying: int = 4,
        idade_maxima: int | None = None,
        idade_dados_maxima: int | None = None,
    ) -> None:
        self._client = client
        self._journal = journal
        self._separator = separator
        self._on_progress = on_progress
        self._flying = flying
        self._demand = {"idade_maxima": idade_maxima, "idade_dados_maxima": idade_dados_maxima}
        self._left: dict[str, None] = {}
        self.quota: QuotaExceeded | None = None
        self.resets_at: datetime | None = None
        self.failure: BrskillsError | None = None

    async def ask(self, numbers: Sequence[str], rounds: int) -> None:
        """Ask for distinct ``numbers``; those that no source answers are asked again, ``rounds`` in all.

        Raises ``BrskillsError`` where no batch can be answered, such as for a key that is not valid, and
        ``sqlite3.Error`` where an answer cannot be noted.
        """
        self._left = dict.fromkeys(numbers)
        repeating = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_result(bool),
            stop=tenacity.stop_after_attempt(rounds),
            wait=_between_rounds,
            retry_error_callback=lambda _state: None,
        )
        await repeating(self._round)
        if self.quota:
            with suppress(BrskillsError):  # it is a courtesy
                self.resets_at = self.quota.resets_at or (await self._client.usage()).reinicia_em

    async def _round(self) -> bool:
        """Ask once for all that is left; whether it is worth while to ask again."""
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
            await self._settle(batch)

    async def _settle(self, batch: Planned) -> None:
        """Have a batch answered, and note what it came to."""
        tries = 0

        async def send() -> Batch[Company]:
            nonlocal tries
            tries += 1
            return await self._client.companies(
                batch.numbers, partial=True, idempotency_key=batch.key, **self._demand
            )

        try:
            answer: Batch[Company] = await repeating_async(RETRIES, MAX_WAIT)(send)
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
            self._note(batch, answer, again=batch.again or tries > 1)

    def _note(self, batch: Planned, answer: Batch[Company], *, again: bool) -> None:
        answers, silent = dict[str, Answer](), False
        for number, outcome in zip(batch.numbers, answer.resultados, strict=True):
            if isinstance(outcome, QuotaExceeded):
                self.quota = outcome
            elif isinstance(outcome, ProblemError) and outcome.transient:
                silent = True
            else:
                answers[number] = self._answer(outcome)
        # What is left goes into a new batch. But where an answer was lost, more may have been counted
        # than this one reports: the same batch is sent until all are reported, and counted once.
        self._journal.note(batch, answers, answer.contadas, closed=not (again and silent))
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
