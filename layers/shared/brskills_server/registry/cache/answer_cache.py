"""The cache of answers: which stored entry answers a query, and for how long."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.entries import Entry, StoredAbsence, StoredCompany, read_entry
from brskills_server.registry.dates import day_of
from brskills_server.registry.errors import CompanyNotFound
from brskills_server.registry.query import Freshness, Query
from brskills_server.registry.store import Fields, Store, StoreFault

FRESH_SECONDS = 86_400
_ANY = Freshness()
_CLOCK_SKEW = 300  # seconds by which clocks may differ; an entry from further in the future is damaged


class AnswerCache:
    """Stored answers. ``fresh_seconds``: how long a record answers. ``clock``: epoch seconds."""

    def __init__(self, store: Store, fresh_seconds: int, clock: Callable[[], float]) -> None:
        self._store = store
        self._fresh_seconds = fresh_seconds
        self.clock = clock

    def load(self, cnpj: str) -> Fields | None:
        """Return what is stored of a company; nothing where the store fails."""
        with suppress(StoreFault):
            return self._store.load(cnpj)
        return None

    def load_many(self, cnpjs: Sequence[str]) -> Mapping[str, Fields]:
        """Return what is stored of these companies, by one request; nothing where the store fails."""
        with suppress(StoreFault):
            return self._store.load_many(cnpjs) if cnpjs else {}
        return {}

    def read(self, query: Query, loaded: Fields | None) -> Answer | Entry | None:
        """Return the answer to a query by what was loaded, else the entry, if there is one.

        A repeated request is answered by what was stored since its first attempt, and by what answered it
        then. Raise ``CompanyNotFound`` for an absence that answers the query.
        """
        stored = read_entry(loaded, query.cnpj)
        since = query.repetition.since if query.repetition else None
        if stored is None or not self._answers(stored, query.freshness, since):
            return stored
        if isinstance(stored, StoredAbsence):
            is_paid = since is not None and stored.paid_at >= since
            raise CompanyNotFound(stored.confirmed, stored.data_base, paid=is_paid)
        return Answer(stored.text, stored.asked_at, int(self.clock()))

    def save(self, cnpj: str, entry: Entry) -> None:
        """Replace the entry of a company. Raise ``StoreFault``."""
        self._store.save(cnpj, entry.to_fields(), entry.expires_at)

    def stale_answer(self, stored: StoredCompany | None, freshness: Freshness) -> Answer | None:
        """Return a stored record as the answer where no source gives a newer one, if it is fresh enough."""
        now = self.clock()
        if stored is None or not _is_young(stored, now, stored.lifetime, freshness):
            return None
        if not _allows_data(stored, freshness, now):
            return None
        is_stale = int(now) - stored.asked_at > self._fresh_seconds
        return Answer(stored.text, stored.asked_at, int(now), stale=is_stale)

    def paid_in_vain(self, stored: Entry, freshness: Freshness) -> bool:
        """Return whether a paid address answered today with data that is not fresh enough."""
        now = self.clock()
        is_recent = 0 <= now - stored.paid_at <= self._fresh_seconds_of(stored)
        return (
            is_recent and day_of(stored.paid_at) == day_of(now) and not _allows_data(stored, freshness, now)
        )

    def _answers(self, stored: Entry, freshness: Freshness, since: int | None) -> bool:
        now, fresh_seconds = self.clock(), self._fresh_seconds_of(stored)
        if since is None:
            in_time = _is_young(stored, now, fresh_seconds, freshness)
            return in_time and (freshness.max_data_age is None or _allows_data(stored, freshness, now))
        is_newer = stored.asked_at >= since and _is_young(stored, now, StoredCompany.lifetime)
        in_time = is_newer or _is_young(stored, since, fresh_seconds, freshness)
        # The first attempt was judged by the day on which it was made.
        return in_time and any(_allows_data(stored, freshness, moment) for moment in (now, since))

    def _fresh_seconds_of(self, stored: Entry) -> int:
        return stored.fresh_seconds if isinstance(stored, StoredAbsence) else self._fresh_seconds


def _is_young(stored: Entry, now: float, lifetime: int, freshness: Freshness = _ANY) -> bool:
    """Return whether an entry is within its lifetime (seconds) and the requested age."""
    limit = lifetime if freshness.max_age is None else min(lifetime, freshness.max_age)
    return limit > 0 and -_CLOCK_SKEW <= now - stored.asked_at <= limit


def _allows_data(stored: Entry, freshness: Freshness, now: float) -> bool:
    """Return whether the stored data is fresh enough; a confirmed absence always is."""
    if freshness.max_data_age is None:  # the record need not be read
        return True
    if isinstance(stored, StoredAbsence):
        return stored.confirmed or freshness.allows_data_of(_day(stored.data_base), now)
    return freshness.allows_data_of(stored.record.data_base, now)


def _day(text: str | None) -> date | None:
    with suppress(ValueError):  # a damaged day is unknown
        return date.fromisoformat(text) if text else None
    return None
