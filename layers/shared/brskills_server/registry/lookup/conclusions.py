"""The outcome of a look-up from the results of its sources, and what of it is stored."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.entries import Entry, StoredAbsence, StoredCompany
from brskills_server.registry.company import Record
from brskills_server.registry.dates import day_of
from brskills_server.registry.errors import CompanyNotFound
from brskills_server.registry.frontier import may_be_new
from brskills_server.registry.health.provider_state import ProviderState
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


class Unanswered(NamedTuple):
    """No source gave a usable answer.

    ``nothing_failed``: as in ``SourcesUnavailable``. ``of_number``: a source had no answer for this number,
    which says nothing of others. ``paid``: a paid address has answered. ``lasting``: as in
    ``SourcesUnavailable``.
    """

    nothing_failed: bool
    of_number: bool
    paid: bool = False
    lasting: bool = False


Outcome = Answer | CompanyNotFound | Unanswered


class Conclusion(NamedTuple):
    """The outcome of a look-up, and the entry to be stored for later ones, if any."""

    outcome: Outcome
    entry: Entry | None = None


def conclude(
    pending: PendingLookup,
    results: Sequence[AttemptResult],
    state: ProviderState,
    now: int,
    roots: Mapping[str, str],
) -> Conclusion:
    """Return the conclusion from the results of a look-up.

    ``now``: epoch seconds. ``roots``: as ``months`` of ``may_be_new``, by which no absence of a number that
    may be new is confirmed: sources keep a "no such company" from before the opening.
    """
    found = [result.record for result in results if isinstance(result, Found)]
    outdated = [result for result in results if isinstance(result, Outdated)]
    missing = [result for result in results if isinstance(result, Missing)]
    day = max((m.data_base for m in missing if m.data_base), default=None)
    sure = [
        r for r in results if not (r.provider.paid and isinstance(r, Missing)) or state.has_found(r.provider)
    ]
    confirmed = is_absence_confirmed(sure) and not may_be_new(pending.query.cnpj, day, day_of(now), roots)
    stored, has_paid = pending.stored, pending.has_paid
    unreadable = any(map(_is_unreadable, results))
    unmet = _demands_too_much(pending.query.freshness, results, state)
    is_old = unmet and state.knows_days() and all(result.provider.monthly_dump for result in results)
    lasting = (unreadable or is_old) and not any(map(_is_passing, results))
    nothing_failed = lasting or unmet
    unanswered = Unanswered(nothing_failed, any(map(_is_of_number, results)), has_paid, lasting)
    if found:
        entry = _entry(pending, [*found, *(result.record for result in outdated)], now)
        return Conclusion(Answer(entry.text, now, now, live=True), entry)
    older = [result.record for result in outdated if result.provider.id != SNAPSHOT_ID]
    if older and not _is_newer(stored, older):  # for callers with lower requirements
        entry = _entry(pending, sorted(older, key=_day, reverse=True), now)
        return Conclusion(unanswered, replace(entry, paid_at=now) if has_paid else entry)
    # Companies are never deleted from the registry: one group alone does not outweigh a stored record.
    if missing and not outdated and not unreadable and (confirmed or stored is None):
        base = day.isoformat() if day else None
        absence = StoredAbsence(confirmed, base, now, now if has_paid else 0)
        in_recent_data = any(not m.provider.monthly_dump for m in missing)
        if confirmed or in_recent_data or pending.query.freshness.allows_data_of(day, now):
            return Conclusion(CompanyNotFound(confirmed, base, paid=has_paid), absence)
        return Conclusion(unanswered, absence)
    return Conclusion(unanswered, replace(stored, paid_at=now) if has_paid and stored else None)


def _demands_too_much(freshness: Freshness, results: Sequence[AttemptResult], state: ProviderState) -> bool:
    """Return whether no source fails, and none has data as fresh as required, or none may be called now.

    Any caller can use up the rate limits of the few sources with such data. So that is not a failure where
    all of them have answered lately.
    """

    def fails(result: AttemptResult) -> bool:
        """Return whether a source failed, did not answer, or is not called because it failed before."""
        if isinstance(result, Skipped):
            return result.number == "rejected" or state.breakers.seconds_open(result.provider) > 0
        return isinstance(result, Failed | Rejected | Dropped)

    if freshness.max_data_age is None or any(map(fails, results)):
        return False
    if any(isinstance(result, Outdated | Missing) for result in results):
        return True
    remote = [result.provider.id for result in results if result.provider.id != SNAPSHOT_ID]
    return all(map(state.evidence.is_operational, remote))


def _is_of_number(result: AttemptResult) -> bool:
    """Return whether a source has no answer for this number, and may have one for any other."""
    return isinstance(result, Rejected | Dropped) or (isinstance(result, Skipped) and bool(result.number))


def _is_unreadable(result: AttemptResult) -> bool:
    """Return whether the snapshot has the company without its record, until another edition."""
    return isinstance(result, Rejected) and result.provider.id == SNAPSHOT_ID


def _is_passing(result: AttemptResult) -> bool:
    """Return whether a source may answer soon though it did not now."""
    if isinstance(result, Skipped):
        return result.number != "unfit"
    return isinstance(result, Failed | Rejected | Dropped) and not _is_unreadable(result)


def _day(record: Record) -> date:
    """Return the day of a record's data; an unknown one counts as the oldest."""
    return record.data_base or date.min


def _is_newer(stored: StoredCompany | None, records: Sequence[Record]) -> bool:
    """Return whether a stored record has newer data than each of these."""
    return stored is not None and all(_day(stored.record) > _day(record) for record in records)


def _entry(pending: PendingLookup, records: Sequence[Record], now: int) -> StoredCompany:
    """Return the first record as an entry, with the exact capital of the others or the stored one."""
    others = [*records[1:], *([pending.stored.record] if pending.stored else [])]
    return StoredCompany(with_exact_capital(records[0], others).model_dump_json(), now)


def with_exact_capital(record: Record, others: Iterable[Record]) -> Record:
    """Return the record with the exact capital of one of ``others``, where its own is approximate.

    Minha Receita and BrasilAPI hold the capital as a 32-bit float. An exact figure of another source that
    gives the same float when it is rounded is the original figure.
    """
    if record.capital_social_precisao != "aproximada" or record.capital_social is None:
        return record
    wanted = _single(record.capital_social)
    for other in others:
        exact = other.capital_social
        if exact and other.capital_social_precisao == "exata" and _single(exact) == wanted:
            return record.model_copy(update={"capital_social": exact, "capital_social_precisao": "exata"})
    return record


def _single(amount: str) -> bytes:
    return struct.pack("f", float(amount))
