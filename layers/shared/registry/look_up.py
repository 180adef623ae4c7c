"""The look-up: a stored answer, else the providers, else an older stored answer.

Its first step runs in the caller's thread and needs no event loop; everything after it runs in the one
loop of the process (see ``registry``). Store operations: a fresh stored answer takes one read; everything
else the write of the result too, one read of the shared state a second, at most one write of what
changed in it, and one write for each call of a provider with a quota.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from registry.answer import Answer
from registry.attempt import AttemptResult, Found, Missing, Outdated, Skipped
from registry.capital import with_exact_capital
from registry.company import Record
from registry.demand import Demand, suitable
from registry.errors import CompanyNotFound, SourcesUnavailable
from registry.fail_safe_store import FailSafeStore
from registry.hedging import ask_hedged, is_absence_confirmed
from registry.provider_state import ProviderHealth, ProviderState
from registry.providers import Provider
from registry.sandbox import is_sandbox, sandbox_answer
from registry.store import Store
from registry.stored import StoredAbsence, StoredCompany, read_stored
from registry.values import read_date

if TYPE_CHECKING:  # the HTTP client is slow to import
    from registry.fetcher import Fetcher

__all__ = ["FRESH_SECONDS", "STALE_SECONDS", "LookUp", "ObserveAttempt", "Query"]

ObserveAttempt = Callable[[str, str, float | None], None]
"""Told of each provider, what came of it (``found``, ``missing``, ``failed``, ``skipped``, or ``dropped``
where another one was quicker) and how many seconds it took; ``None`` where it was not asked."""

FRESH_SECONDS = 86_400
STALE_SECONDS = 45 * 86_400


@dataclass(frozen=True, slots=True)
class Query:
    """What is left to ask the providers: a number, its demand, and the older record that is stored."""

    cnpj: str
    demand: Demand
    stored: StoredCompany | None


class LookUp:
    """Its steps. ``clock``: epoch seconds; ``fresh_seconds``: how long a stored answer serves.

    ``observe``: told of every attempt, in the event loop; it must be quick and not raise. ``paid``: paid
    addresses, for fresher data that is demanded, and how many calls a day they may take together.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        fetcher: "Fetcher",
        store: Store,
        fresh_seconds: int,
        clock: Callable[[], float],
        observe: ObserveAttempt = lambda *_: None,
        paid: Sequence[Provider] = (),
        paid_per_day: int = 0,
    ) -> None:
        self._providers = [*paid, *providers]
        self._fetcher = fetcher
        self._store = FailSafeStore(store)
        self._fresh_seconds = fresh_seconds
        self._clock = clock
        self._observe = observe
        self._state = ProviderState(providers, self._store, clock, paid_per_day)

    def recall(self, cnpj: str, demand: Demand) -> Answer | Query:
        """What is known of a canonical number without a provider: the answer, or what to ``ask``.

        Raises ``CompanyNotFound`` and, for a number of the sandbox, ``SourcesUnavailable``.
        """
        if is_sandbox(cnpj):
            return sandbox_answer(cnpj, demand, int(self._clock()))
        stored = read_stored(self._store.load(cnpj), cnpj)
        if isinstance(stored, StoredAbsence):
            now, day = self._clock(), read_date(stored.data_base)
            in_time = demand.allows_answer_of(stored.asked_at, now, stored.fresh_seconds)
            if in_time and (stored.confirmed or demand.allows_data_of(day, now)):
                raise CompanyNotFound(stored.confirmed, stored.data_base)
            stored = None
        if stored and self._serves(stored, demand, self._fresh_seconds):
            return Answer(stored.text, stored.record, stored.asked_at, int(self._clock()))
        return Query(cnpj, demand, stored)

    async def ask(self, query: Query) -> Answer:
        """The providers' answer; raises as ``Registry.look_up`` does. Nothing runs on when it returns."""
        await self._state.refresh()
        able = suitable(self._providers, query.demand, self._state.dump_date, self._clock())
        results = await ask_hedged(able, lambda provider: self._attempt(provider, query))
        for result in results:
            self._state.record_result(result)
        return await self._conclude(query, results)

    def fall_back(self, query: Query) -> Answer:
        """The older stored record where it meets the demand; else raises ``SourcesUnavailable``."""
        stored, now = query.stored, int(self._clock())
        if stored and self._serves(stored, query.demand, STALE_SECONDS):
            stale = now - stored.asked_at > self._fresh_seconds
            return Answer(stored.text, stored.record, stored.asked_at, now, stale)
        raise SourcesUnavailable(self._state.retry_after())

    async def refresh(self) -> None:
        """Bring the shared state of the providers up to date."""
        await self._state.refresh()

    def health(self) -> list[ProviderHealth]:
        """Each provider's state as last read, in the order of preference."""
        return self._state.health()

    async def close(self) -> None:
        """Close the connections to the providers."""
        await self._fetcher.close()

    def _serves(self, stored: StoredCompany, demand: Demand, lasting: int) -> bool:
        in_time = demand.allows_answer_of(stored.asked_at, self._clock(), lasting)
        return in_time and self._allows(demand, stored.record)

    def _allows(self, demand: Demand, record: Record) -> bool:
        return demand.allows_data_of(record.data_base, self._clock())

    async def _attempt(self, provider: Provider, query: Query) -> AttemptResult:
        if not await self._state.acquire(provider):
            self._observe(provider.id, "skipped", None)
            return Skipped(provider)
        result = await self._with_dump_date(await self._fetch(provider, query))
        if isinstance(result, Found) and not self._allows(query.demand, result.record):
            return Outdated(provider, result.record)
        return result

    async def _fetch(self, provider: Provider, query: Query) -> AttemptResult:
        began, outcome = time.perf_counter(), "dropped"
        try:
            result = await self._fetcher.fetch_company(provider, query.cnpj, query.demand.max_data_age)
            outcome = type(result).__name__.lower()
        finally:  # the attempt may be cancelled meanwhile
            self._observe(provider.id, outcome, time.perf_counter() - began)
        return result

    async def _with_dump_date(self, result: AttemptResult) -> AttemptResult:
        """The result with the day of the dump that it comes from."""
        provider = result.provider
        if not isinstance(result, Found | Missing) or provider.dump_date is None:
            return result
        if await self._state.claim_dump_date(provider):
            day = await self._fetcher.fetch_dump_date(provider)
            if day:
                self._state.record_dump_date(provider, day)
        day = self._state.dump_date(provider)
        if isinstance(result, Missing):
            return replace(result, data_base=day)
        return replace(result, record=result.record.model_copy(update={"data_base": day}))

    async def _conclude(self, query: Query, results: Sequence[AttemptResult]) -> Answer:
        now = int(self._clock())
        found = [result.record for result in results if isinstance(result, Found)]
        outdated = [result.record for result in results if isinstance(result, Outdated)]
        missing = [result for result in results if isinstance(result, Missing)]
        confirmed = is_absence_confirmed(results)
        if found:
            company = await self._keep(query, [*found, *outdated], now)
            return Answer(company.text, company.record, now, now, live=True)
        if outdated and not _is_newer(query.stored, outdated):  # kept for callers who demand less
            await self._keep(query, sorted(outdated, key=_day, reverse=True), now)
            return self.fall_back(query)
        # Companies are never deleted from the registry: one group alone does not outweigh a stored record.
        if missing and not outdated and (confirmed or query.stored is None):
            return await self._conclude_absence(query, missing, confirmed)
        await self._state.publish()
        return self.fall_back(query)

    async def _conclude_absence(self, query: Query, missing: Sequence[Missing], confirmed: bool) -> Answer:
        now = int(self._clock())
        day = max((m.data_base for m in missing if m.data_base), default=None)
        absence = StoredAbsence(confirmed, day.isoformat() if day else None, now)
        await self._save(query.cnpj, absence, now + absence.fresh_seconds)
        in_recent_data = any(not m.provider.monthly_dump for m in missing)
        if confirmed or in_recent_data or query.demand.allows_data_of(day, now):
            raise CompanyNotFound(absence.confirmed, absence.data_base)
        return self.fall_back(query)

    async def _keep(self, query: Query, records: Sequence[Record], now: int) -> StoredCompany:
        """Store the first of the records, with the help of the others for its capital."""
        others = [*records[1:], *([query.stored.record] if query.stored else [])]
        record = with_exact_capital(records[0], others)
        company = StoredCompany(record.model_dump_json(), record, now)
        await self._save(query.cnpj, company, now + STALE_SECONDS)
        return company

    async def _save(self, cnpj: str, stored: StoredCompany | StoredAbsence, expires_at: int) -> None:
        await asyncio.gather(self._store.save(cnpj, stored.to_fields(), expires_at), self._state.publish())


def _day(record: Record) -> date:
    """The day of a record's data; an unknown one counts as the oldest."""
    return record.data_base or date.min


def _is_newer(stored: StoredCompany | None, records: Sequence[Record]) -> bool:
    """Whether a stored record has newer data than each of these."""
    return stored is not None and all(_day(stored.record) > _day(record) for record in records)
