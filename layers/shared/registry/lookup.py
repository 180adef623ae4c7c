"""The look-up: a stored answer, else the race of the providers, else an older stored answer.

Store operations: a fresh stored answer takes one read; everything else two reads, the write of the
result, at most one write of changed shared state, and one write for each small provider called.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from registry import entry, sandbox
from registry.answer import Answer
from registry.capital import with_exact_capital
from registry.entry import Denied, Kept
from registry.errors import CompanyNotFound, SourcesUnavailable
from registry.outcome import Found, Missing, Outcome, Skipped
from registry.providers import Provider
from registry.race import is_confirmed, race
from registry.sources import SourceHealth, Sources
from registry.store import Fields, PatientStore, Store

if TYPE_CHECKING:  # the HTTP client is slow to import, and whoever only names the types needs none
    from registry.fetch import Fetcher

__all__ = ["FRESH_SECONDS", "STALE_SECONDS", "Registry"]

FRESH_SECONDS = 86_400
STALE_SECONDS = 45 * 86_400
_SKEW_SECONDS = 300  # how far clocks may differ; an entry from further in the future is damaged


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
        self._sources = Sources(providers, clock)

    async def look_up(self, cnpj: str, *, max_age: int | None = None) -> Answer:
        """The company with a canonical number (see ``parse_cnpj``).

        ``max_age``: seconds since the source was asked, a demand; 0 asks a source in any case.
        Raises ``CompanyNotFound`` and ``SourcesUnavailable``. Nothing runs on when it returns.
        """
        if sandbox.is_sandbox(cnpj):
            return sandbox.answer(cnpj, max_age, int(self._clock()))
        store = PatientStore(self._store)
        kept = entry.read_entry(await store.load(cnpj), cnpj)
        now = int(self._clock())
        if isinstance(kept, Denied) and self._serves(kept.at, kept.lasts, max_age):
            raise CompanyNotFound(kept.confirmed, kept.data_base)
        if isinstance(kept, Kept) and self._serves(kept.at, self._fresh_seconds, max_age):
            return Answer(kept.text, kept.at, now)
        old = kept if isinstance(kept, Kept) else None
        outcomes = await self._ask(cnpj, store)
        return await self._conclude(cnpj, outcomes, old, max_age, store)

    async def health(self) -> list[SourceHealth]:
        """Each provider's recent state, in the order of preference."""
        await self._sources.refresh(PatientStore(self._store))
        return self._sources.health()

    async def close(self) -> None:
        """Close the connections to the providers."""
        await self._fetcher.close()

    def _serves(self, at: int, lasts: int, max_age: int | None) -> bool:
        limit = lasts if max_age is None else min(lasts, max_age)
        return limit > 0 and -_SKEW_SECONDS <= self._clock() - at <= limit

    async def _ask(self, cnpj: str, store: PatientStore) -> list[Outcome]:
        await self._sources.refresh(store)

        async def attempt(provider: Provider) -> Outcome:
            if not await self._sources.admit(provider, store):
                return Skipped(provider)
            outcome = await self._fetcher.company(provider, cnpj)
            return await self._date(outcome, store)

        outcomes = await race(self._providers, attempt)
        for outcome in outcomes:
            self._sources.note(outcome)
        return outcomes

    async def _date(self, outcome: Outcome, store: PatientStore) -> Outcome:
        """The outcome with the day of the dump that it comes from."""
        provider = outcome.provider
        if not isinstance(outcome, Found | Missing) or provider.data_date is None:
            return outcome
        if await self._sources.wants_date(provider, store):
            day = await self._fetcher.data_date(provider)
            if day:
                self._sources.note_date(provider, day)
        day = self._sources.data_base(provider)
        if isinstance(outcome, Missing):
            return replace(outcome, data_base=day)
        return replace(outcome, record=outcome.record.model_copy(update={"data_base": day}))

    async def _conclude(
        self,
        cnpj: str,
        outcomes: Sequence[Outcome],
        old: Kept | None,
        max_age: int | None,
        store: PatientStore,
    ) -> Answer:
        now = int(self._clock())
        found = [outcome.record for outcome in outcomes if isinstance(outcome, Found)]
        denials = [outcome for outcome in outcomes if isinstance(outcome, Missing)]
        confirmed = is_confirmed(outcomes)
        if found:
            record = with_exact_capital(found[0], [*found[1:], *([old.record] if old else [])])
            new = Kept(record, record.model_dump_json(), now)
            await self._remember(cnpj, entry.keep(new), now + STALE_SECONDS, store)
            return Answer(new.text, now, now)
        if denials and (confirmed or old is None):  # no company leaves the registry: one voice is not enough
            day = max((d.data_base for d in denials if d.data_base), default=None)
            denied = Denied(confirmed, day.isoformat() if day else None, now)
            await self._remember(cnpj, entry.keep_denial(denied), now + denied.lasts, store)
            raise CompanyNotFound(denied.confirmed, denied.data_base)
        await self._sources.share(store)
        if old and self._serves(old.at, STALE_SECONDS, max_age):
            return Answer(old.text, old.at, now, stale=now - old.at > self._fresh_seconds)
        raise SourcesUnavailable(self._sources.retry_after())

    async def _remember(self, cnpj: str, fields: Fields, expires_at: int, store: PatientStore) -> None:
        await asyncio.gather(store.save(cnpj, fields, expires_at), self._sources.share(store))
