"""The look-up: our own copy, else a stored answer, else the providers, else an older stored answer.

Its first step runs in the caller's thread and needs no event loop; everything after it runs in the one
loop of the process (see ``registry``). Store operations: what our own copy has takes none; a fresh stored
answer takes one read; everything else the write of the result too, one read of the shared state a second,
at most one write of what changed in it, and one write for each call of a provider with a quota.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from registry.answer import Answer
from registry.attempt import AttemptResult, Failed, Found, Missing, Skipped
from registry.capital import with_exact_capital
from registry.errors import CompanyNotFound, SourcesUnavailable
from registry.fail_safe_store import FailSafeStore
from registry.hedging import ask_hedged, is_absence_confirmed
from registry.provider_state import ProviderHealth, ProviderState
from registry.providers import COPY_ID, Provider
from registry.sandbox import is_sandbox, sandbox_answer
from registry.store import Store
from registry.stored import StoredAbsence, StoredCompany, read_stored

if TYPE_CHECKING:  # the HTTP client is slow to import, and not everybody has a copy
    from registry.copy_source import CopySource
    from registry.fetcher import Fetcher

__all__ = ["FRESH_SECONDS", "STALE_SECONDS", "LookUp", "ObserveAttempt", "Query"]

ObserveAttempt = Callable[[str, str, float | None], None]
"""Told of each provider, what came of it (``found``, ``missing``, ``failed``, ``skipped``, or ``dropped``
where another one was quicker) and how many seconds it took; ``None`` where it was not asked."""

FRESH_SECONDS = 86_400
STALE_SECONDS = 45 * 86_400
_CLOCK_SKEW = 300  # how far clocks may differ (seconds); an entry from further in the future is damaged


@dataclass(frozen=True, slots=True)
class Query:
    """What is left to ask the providers: a number, its demand, and the older record that is stored.

    ``copied``: what our own copy said, where it was read already.
    """

    cnpj: str
    max_age: int | None
    stored: StoredCompany | None
    copied: Missing | Failed | Skipped | None


class LookUp:
    """Its steps. ``clock``: epoch seconds; ``fresh_seconds``: how long a stored answer serves.

    ``observe``: told of every attempt, in any thread; it must be quick and not raise.
    ``copied``: our own copy, if there is one; where it is the first provider it is read before the store.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        fetcher: "Fetcher",
        store: Store,
        fresh_seconds: int,
        clock: Callable[[], float],
        observe: ObserveAttempt = lambda *_: None,
        copied: "CopySource | None" = None,
    ) -> None:
        self._providers = providers
        self._copied = copied
        self._fetcher = fetcher
        self._store = FailSafeStore(store)
        self._fresh_seconds = fresh_seconds
        self._clock = clock
        self._observe = observe
        self._state = ProviderState([p for p in providers if p.id != COPY_ID], self._store, clock)

    def recall(self, cnpj: str, max_age: int | None) -> Answer | Query:
        """What is known of a canonical number without a provider: the answer, or what to ``ask``.

        Raises ``CompanyNotFound`` and, for a number of the sandbox, ``SourcesUnavailable``.
        """
        if is_sandbox(cnpj):
            return sandbox_answer(cnpj, max_age, int(self._clock()))
        copied = self._copied.read(cnpj) if self._copied and self._providers[0].id == COPY_ID else None
        if isinstance(copied, str):
            now = int(self._clock())
            return Answer(copied, now, now, live=True)
        stored = read_stored(self._store.load(cnpj), cnpj)
        if isinstance(stored, StoredAbsence):
            if self._is_within(stored.asked_at, stored.fresh_seconds, max_age):
                raise CompanyNotFound(stored.confirmed, stored.data_base)
            stored = None
        if stored and self._is_within(stored.asked_at, self._fresh_seconds, max_age):
            return Answer(stored.text, stored.asked_at, int(self._clock()))
        return Query(cnpj, max_age, stored, copied)

    async def ask(self, query: Query) -> Answer:
        """The providers' answer; raises as ``Registry.look_up`` does. Nothing runs on when it returns."""
        await self._state.refresh()
        results = await ask_hedged(self._providers, lambda provider: self._attempt(provider, query))
        for result in results:
            if result.provider.id != COPY_ID:
                self._state.record_result(result)
        return await self._conclude(query, results)

    def fall_back(self, query: Query) -> Answer:
        """The older stored record where it meets the demand; else raises ``SourcesUnavailable``."""
        stored, now = query.stored, int(self._clock())
        if stored and self._is_within(stored.asked_at, STALE_SECONDS, query.max_age):
            stale = now - stored.asked_at > self._fresh_seconds
            return Answer(stored.text, stored.asked_at, now, stale)
        raise SourcesUnavailable(self._state.retry_after())

    async def refresh(self) -> None:
        """Bring the shared state of the providers up to date."""
        await self._state.refresh()

    def health(self) -> list[ProviderHealth]:
        """Each provider's state as last read, our own copy's as it is, in the order of preference."""
        copied = self._copied.health() if self._copied else None
        states = {state.id: state for state in (*self._state.health(), *([copied] if copied else []))}
        return [states[provider.id] for provider in self._providers if provider.id in states]

    async def close(self) -> None:
        """Close the connections to the providers."""
        await self._fetcher.close()

    def _is_within(self, asked_at: int, seconds: int, max_age: int | None) -> bool:
        limit = seconds if max_age is None else min(seconds, max_age)
        return limit > 0 and -_CLOCK_SKEW <= self._clock() - asked_at <= limit

    async def _attempt(self, provider: Provider, query: Query) -> AttemptResult:
        if self._copied and provider.id == COPY_ID:
            return query.copied or await self._copied.ask(query.cnpj)
        if not await self._state.acquire(provider):
            self._observe(provider.id, "skipped", None)
            return Skipped(provider)
        return await self._with_dump_date(await self._fetch(provider, query.cnpj))

    async def _fetch(self, provider: Provider, cnpj: str) -> AttemptResult:
        began, outcome = time.perf_counter(), "dropped"
        try:
            result = await self._fetcher.fetch_company(provider, cnpj)
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
        stored = query.stored
        found = [result.record for result in results if isinstance(result, Found)]
        missing = [result for result in results if isinstance(result, Missing)]
        confirmed = is_absence_confirmed(results)
        if found:
            record = with_exact_capital(found[0], [*found[1:], *([stored.record] if stored else [])])
            company = StoredCompany(record.model_dump_json(), record, now)
            await self._save(query.cnpj, company, now + STALE_SECONDS)
            return Answer(company.text, now, now, live=True)
        # Companies are never deleted from the registry: one group alone does not outweigh a stored record.
        if missing and (confirmed or stored is None):
            day = max((m.data_base for m in missing if m.data_base), default=None)
            absence = StoredAbsence(confirmed, day.isoformat() if day else None, now)
            await self._save(query.cnpj, absence, now + absence.fresh_seconds)
            raise CompanyNotFound(absence.confirmed, absence.data_base)
        await self._state.publish()
        return self.fall_back(query)

    async def _save(self, cnpj: str, stored: StoredCompany | StoredAbsence, expires_at: int) -> None:
        await asyncio.gather(self._store.save(cnpj, stored.to_fields(), expires_at), self._state.publish())
