"""The look-up: a stored answer, else the providers, else an older stored answer.

Store operations: a fresh stored answer takes one read; everything else two reads, the write of the
result, at most one write of changed shared state, and one write for each call of a provider with a quota.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from registry.answer import Answer
from registry.attempt import AttemptResult, Found, Missing, Skipped
from registry.capital import with_exact_capital
from registry.errors import CompanyNotFound, SourcesUnavailable
from registry.fail_safe_store import FailSafeStore
from registry.hedging import ask_hedged, is_absence_confirmed
from registry.provider_state import ProviderHealth, ProviderState
from registry.providers import Provider, get_provider
from registry.sandbox import is_sandbox, sandbox_answer
from registry.store import Store
from registry.stored import StoredAbsence, StoredCompany, read_stored

if TYPE_CHECKING:  # the HTTP client is slow to import
    from registry.fetcher import Fetcher

__all__ = ["FRESH_SECONDS", "STALE_SECONDS", "Registry", "build_registry"]

FRESH_SECONDS = 86_400
STALE_SECONDS = 45 * 86_400
_CLOCK_SKEW = 300  # how far clocks may differ (seconds); an entry from further in the future is damaged


class Registry:
    """Companies by number. ``clock``: epoch seconds; ``fresh_seconds``: how long a stored answer serves."""

    def __init__(
        self,
        providers: Sequence[Provider],
        fetcher: "Fetcher",
        store: Store,
        fresh_seconds: int = FRESH_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._providers = providers
        self._fetcher = fetcher
        self._store = store
        self._fresh_seconds = fresh_seconds
        self._clock = clock
        self._state = ProviderState(providers, clock)

    async def look_up(self, cnpj: str, *, max_age: int | None = None) -> Answer:
        """The company with a canonical number (see ``parse_cnpj``).

        ``max_age``: the most seconds since a source answered; 0 asks a source in any case.
        Raises ``CompanyNotFound`` and ``SourcesUnavailable``. Nothing runs on when it returns.
        """
        if is_sandbox(cnpj):
            return sandbox_answer(cnpj, max_age, int(self._clock()))
        store = FailSafeStore(self._store)
        stored = read_stored(await store.load(cnpj), cnpj)
        now = int(self._clock())
        if isinstance(stored, StoredAbsence):
            if self._is_within(stored.asked_at, stored.fresh_seconds, max_age):
                raise CompanyNotFound(stored.confirmed, stored.data_base)
            stored = None
        if stored and self._is_within(stored.asked_at, self._fresh_seconds, max_age):
            return Answer(stored.text, stored.record, stored.asked_at, now)
        results = await self._ask(cnpj, store)
        return await self._conclude(cnpj, results, stored, max_age, store)

    async def health(self) -> list[ProviderHealth]:
        """Each provider's recent state, in the order of preference."""
        await self._state.refresh(FailSafeStore(self._store))
        return self._state.health()

    async def close(self) -> None:
        """Close the connections to the providers."""
        await self._fetcher.close()

    def _is_within(self, asked_at: int, seconds: int, max_age: int | None) -> bool:
        limit = seconds if max_age is None else min(seconds, max_age)
        return limit > 0 and -_CLOCK_SKEW <= self._clock() - asked_at <= limit

    async def _ask(self, cnpj: str, store: FailSafeStore) -> list[AttemptResult]:
        await self._state.refresh(store)

        async def attempt(provider: Provider) -> AttemptResult:
            if not await self._state.acquire(provider, store):
                return Skipped(provider)
            return await self._with_dump_date(await self._fetcher.fetch_company(provider, cnpj), store)

        results = await ask_hedged(self._providers, attempt)
        for result in results:
            self._state.record_result(result)
        return results

    async def _with_dump_date(self, result: AttemptResult, store: FailSafeStore) -> AttemptResult:
        """The result with the day of the dump that it comes from."""
        provider = result.provider
        if not isinstance(result, Found | Missing) or provider.dump_date is None:
            return result
        if await self._state.claim_dump_date(provider, store):
            day = await self._fetcher.fetch_dump_date(provider)
            if day:
                self._state.record_dump_date(provider, day)
        day = self._state.dump_date(provider)
        if isinstance(result, Missing):
            return replace(result, data_base=day)
        return replace(result, record=result.record.model_copy(update={"data_base": day}))

    async def _conclude(
        self,
        cnpj: str,
        results: Sequence[AttemptResult],
        stored: StoredCompany | None,
        max_age: int | None,
        store: FailSafeStore,
    ) -> Answer:
        now = int(self._clock())
        found = [result.record for result in results if isinstance(result, Found)]
        missing = [result for result in results if isinstance(result, Missing)]
        confirmed = is_absence_confirmed(results)
        if found:
            record = with_exact_capital(found[0], [*found[1:], *([stored.record] if stored else [])])
            company = StoredCompany(record.model_dump_json(), record, now)
            await self._save(cnpj, company, now + STALE_SECONDS, store)
            return Answer(company.text, record, now, now)
        # Companies are never deleted from the registry: one group alone does not outweigh a stored record.
        if missing and (confirmed or stored is None):
            day = max((m.data_base for m in missing if m.data_base), default=None)
            absence = StoredAbsence(confirmed, day.isoformat() if day else None, now)
            await self._save(cnpj, absence, now + absence.fresh_seconds, store)
            raise CompanyNotFound(absence.confirmed, absence.data_base)
        await self._state.publish(store)
        if stored and self._is_within(stored.asked_at, STALE_SECONDS, max_age):
            stale = now - stored.asked_at > self._fresh_seconds
            return Answer(stored.text, stored.record, stored.asked_at, now, stale)
        raise SourcesUnavailable(self._state.retry_after())

    async def _save(
        self, cnpj: str, stored: StoredCompany | StoredAbsence, expires_at: int, store: FailSafeStore
    ) -> None:
        await asyncio.gather(store.save(cnpj, stored.to_fields(), expires_at), self._state.publish(store))


def build_registry(
    *,
    providers: Sequence[str],
    urls: Mapping[str, str],
    store: Store,
    fresh_seconds: int = FRESH_SECONDS,
    user_agent: str,
    clock: Callable[[], float] = time.time,
) -> Registry:
    """A registry over the providers with these ids, in the order of preference.

    ``urls``: provider id → base address in place of its public one. ``clock``: epoch seconds. Raises
    ``KeyError`` for an unknown id.
    """
    from registry.fetcher import Fetcher

    chosen = [get_provider(name) for name in dict.fromkeys(providers)]
    return Registry(chosen, Fetcher(urls, user_agent, clock=clock), store, fresh_seconds, clock)
