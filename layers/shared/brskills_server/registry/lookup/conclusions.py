"""The outcome of a look-up from the results of its sources, and what of it is stored."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.answer_cache import AnswerCache
from brskills_server.registry.cache.entries import StoredAbsence, StoredCompany
from brskills_server.registry.company import Record
from brskills_server.registry.errors import CompanyNotFound
from brskills_server.registry.health.evidence import Evidence
from brskills_server.registry.health.provider_state import ProviderState
from brskills_server.registry.lookup.capital import with_exact_capital
from brskills_server.registry.lookup.hedging import is_absence_confirmed
from brskills_server.registry.lookup.local_lookup import PendingLookup
from brskills_server.registry.providers import SNAPSHOT_ID
from brskills_server.registry.providers.results import (
    AttemptResult,
    Dropped,
    Failed,
    Found,
    Missing,
    Outdated,
    Rejected,
    Skipped,
)
from brskills_server.registry.query import Freshness
from brskills_server.registry.store_guard import StoreGuard


class Unanswered(NamedTuple):
    """No source gave a usable answer.

    ``nothing_failed``: as in ``SourcesUnavailable``. ``of_number``: a source had no answer for this number,
    which says nothing of others. ``paid``: a paid address has answered.
    """

    nothing_failed: bool
    of_number: bool
    paid: bool = False


Outcome = Answer | CompanyNotFound | Unanswered


class Conclusions:
    """Concludes look-ups and stores their outcome. ``clock``: epoch seconds."""

    def __init__(
        self,
        cache: AnswerCache,
        guard: StoreGuard,
        state: ProviderState,
        evidence: Evidence,
        clock: Callable[[], float],
    ) -> None:
        self._cache = cache
        self._guard = guard
        self._state = state
        self._evidence = evidence
        self._clock = clock

    async def conclude(self, pending: PendingLookup, results: Sequence[AttemptResult]) -> Outcome:
        """Return the outcome of a look-up, and store it for later ones."""
        now = int(self._clock())
        found = [result.record for result in results if isinstance(result, Found)]
        outdated = [result for result in results if isinstance(result, Outdated)]
        missing = [result for result in results if isinstance(result, Missing)]
        confirmed = is_absence_confirmed(results)
        nothing_failed = self._demanded_too_much(pending.query.freshness, results)
        unanswered = Unanswered(nothing_failed, any(map(_is_of_number, results)), pending.has_paid)
        if found:
            entry = _entry(pending, [*found, *(result.record for result in outdated)], now)
            await self._store(pending, entry)
            return Answer(entry.text, now, now, live=True)
        older = [result.record for result in outdated if result.provider.id != SNAPSHOT_ID]
        if older and not _is_newer(pending.stored, older):  # for callers with lower requirements
            entry = _entry(pending, sorted(older, key=_day, reverse=True), now)
            await self._store(pending, replace(entry, paid_at=now) if pending.has_paid else entry)
            return unanswered
        # Companies are never deleted from the registry: one group alone does not outweigh a stored record.
        if missing and not outdated and (confirmed or pending.stored is None):
            return await self._conclude_absence(pending, missing, confirmed) or unanswered
        if pending.has_paid and pending.stored:
            await self._store(pending, replace(pending.stored, paid_at=now))
        else:
            await self._state.sync.publish()
        return unanswered

    async def _conclude_absence(
        self, pending: PendingLookup, missing: Sequence[Missing], confirmed: bool
    ) -> CompanyNotFound | None:
        """Store the absence; return it as an exception where its data is fresh enough."""
        now = int(self._clock())
        day = max((m.data_base for m in missing if m.data_base), default=None)
        base, paid = day.isoformat() if day else None, pending.has_paid
        await self._store(pending, StoredAbsence(confirmed, base, now, now if paid else 0))
        in_recent_data = any(not m.provider.monthly_dump for m in missing)
        if confirmed or in_recent_data or pending.query.freshness.allows_data_of(day, now):
            return CompanyNotFound(confirmed, base, paid=paid)
        return None

    async def _store(self, pending: PendingLookup, entry: StoredCompany | StoredAbsence) -> None:
        saving = self._guard.run(lambda: self._cache.save(pending.query.cnpj, entry))
        await asyncio.gather(saving, self._state.sync.publish())

    def _demanded_too_much(self, freshness: Freshness, results: Sequence[AttemptResult]) -> bool:
        """Return whether no source fails, and none has data as fresh as required, or none may be called now.

        Any caller can use up the rate limits of the few sources with such data. So that is no failure where
        all of them have answered lately.
        """
        if freshness.max_data_age is None or any(map(self._fails, results)):
            return False
        if any(isinstance(result, Outdated | Missing) for result in results):
            return True
        remote = [result.provider.id for result in results if result.provider.id != SNAPSHOT_ID]
        return all(map(self._evidence.is_operational, remote))

    def _fails(self, result: AttemptResult) -> bool:
        """Return whether a source failed, did not answer, or is not called because it failed before."""
        if isinstance(result, Skipped):
            return result.number == "rejected" or self._state.breakers.seconds_open(result.provider) > 0
        return isinstance(result, Failed | Rejected | Dropped)


def _entry(pending: PendingLookup, records: Sequence[Record], now: int) -> StoredCompany:
    """Return the first record as an entry, with the exact capital of the others or the stored one."""
    others = [*records[1:], *([pending.stored.record] if pending.stored else [])]
    return StoredCompany(with_exact_capital(records[0], others).model_dump_json(), now)


def _is_of_number(result: AttemptResult) -> bool:
    """Return whether a source has no answer for this number, and may have one for any other."""
    return isinstance(result, Rejected | Dropped) or (isinstance(result, Skipped) and bool(result.number))


def _day(record: Record) -> date:
    """Return the day of a record's data; an unknown one counts as the oldest."""
    return record.data_base or date.min


def _is_newer(stored: StoredCompany | None, records: Sequence[Record]) -> bool:
    """Return whether a stored record has newer data than each of these."""
    return stored is not None and all(_day(stored.record) > _day(record) for record in records)
