"""What the results of a look-up's attempts come to, and what of it is stored."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.entries import StoredAbsence, StoredCompany
from brskills_server.registry.cache.kept_answers import KeptAnswers
from brskills_server.registry.company import Record
from brskills_server.registry.errors import CompanyNotFound
from brskills_server.registry.freshness import Freshness
from brskills_server.registry.health.provider_state import ProviderState
from brskills_server.registry.health.shared_view import SharedView
from brskills_server.registry.lookup.hedging import is_absence_confirmed
from brskills_server.registry.lookup.local_lookup import Query
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

__all__ = ["Conclusions", "Outcome", "Unanswered"]


class Unanswered(NamedTuple):
    """No source gave an answer that will do.

    ``nothing_failed``: as in ``SourcesUnavailable``. ``of_number``: a source had none to this number, which
    says nothing of others. ``paid``: a paid address has answered.
    """

    nothing_failed: bool
    of_number: bool
    paid: bool = False


Outcome = Answer | CompanyNotFound | Unanswered


class Conclusions:
    """Over what is stored and what is known of the providers. ``clock``: epoch seconds."""

    def __init__(
        self, kept: KeptAnswers, shared: SharedView, state: ProviderState, clock: Callable[[], float]
    ) -> None:
        self._kept = kept
        self._shared = shared
        self._state = state
        self._clock = clock

    async def conclude(self, query: Query, results: Sequence[AttemptResult]) -> Outcome:
        """Return what the sources' results say, and store it for later look-ups."""
        now = int(self._clock())
        found = [result.record for result in results if isinstance(result, Found)]
        outdated = [result for result in results if isinstance(result, Outdated)]
        missing = [result for result in results if isinstance(result, Missing)]
        confirmed = is_absence_confirmed(results)
        nothing_failed = self._demanded_too_much(query.demand, results)
        unanswered = Unanswered(nothing_failed, any(map(_is_of_number, results)), query.has_paid)
        if found:
            text = await self._keep(query, [*found, *(result.record for result in outdated)], now)
            return Answer(text, now, now, live=True)
        kept = [result.record for result in outdated if result.provider.id != SNAPSHOT_ID]
        if kept and not _is_newer(query.stored, kept):  # for callers who demand less
            await self._keep(query, sorted(kept, key=_day, reverse=True), now, now if query.has_paid else 0)
            return unanswered
        # Companies are never deleted from the registry: one group alone does not outweigh a stored record.
        if missing and not outdated and (confirmed or query.stored is None):
            return await self._conclude_absence(query, missing, confirmed) or unanswered
        if query.has_paid and query.stored:
            await asyncio.gather(self._kept.mark_paid(query.cnpj, query.stored, now), self._shared.publish())
        else:
            await self._shared.publish()
        return unanswered

    async def _conclude_absence(
        self, query: Query, missing: Sequence[Missing], confirmed: bool
    ) -> CompanyNotFound | None:
        """Keep it; return it as an error where it meets the demand."""
        now = int(self._clock())
        day = max((m.data_base for m in missing if m.data_base), default=None)
        base, paid = day.isoformat() if day else None, query.has_paid
        absence = StoredAbsence(confirmed, base, now, now if paid else 0)
        await asyncio.gather(self._kept.keep_absence(query.cnpj, absence), self._shared.publish())
        in_recent_data = any(not m.provider.monthly_dump for m in missing)
        if confirmed or in_recent_data or query.demand.allows_data_of(day, now):
            return CompanyNotFound(absence.confirmed, absence.data_base, paid=paid)
        return None

    def _demanded_too_much(self, demand: Freshness, results: Sequence[AttemptResult]) -> bool:
        """Whether no source fails, and none has data as recent as demanded, or none may be asked now.

        Any caller can use up the quotas of the few sources with such data. So that is no failure where all of
        them have answered lately.
        """
        if demand.max_data_age is None or any(map(self._fails, results)):
            return False
        if any(isinstance(result, Outdated | Missing) for result in results):
            return True
        remote = [result.provider for result in results if result.provider.id != SNAPSHOT_ID]
        return all(map(self._state.is_operational, remote))

    def _fails(self, result: AttemptResult) -> bool:
        """Whether a source failed, kept silent, or is left alone because it failed before."""
        if isinstance(result, Skipped):
            return result.number == "rejected" or self._state.breakers.seconds_open(result.provider) > 0
        return isinstance(result, Failed | Rejected | Dropped)

    async def _keep(self, query: Query, records: Sequence[Record], now: int, paid_at: int = 0) -> str:
        kept = self._kept.keep(query.cnpj, records, query.stored, now, paid_at)
        text, _ = await asyncio.gather(kept, self._shared.publish())
        return text


def _is_of_number(result: AttemptResult) -> bool:
    """Whether a source has no answer to this number, and may have one to any other."""
    return isinstance(result, Rejected | Dropped) or (isinstance(result, Skipped) and bool(result.number))


def _day(record: Record) -> date:
    """The day of a record's data; an unknown one counts as the oldest."""
    return record.data_base or date.min


def _is_newer(stored: StoredCompany | None, records: Sequence[Record]) -> bool:
    """Whether a stored record has newer data than each of these."""
    return stored is not None and all(_day(stored.record) > _day(record) for record in records)
