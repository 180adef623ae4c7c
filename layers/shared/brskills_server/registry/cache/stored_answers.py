"""What look-ups find in the store: which stored answer serves a demand, and for how long."""

from collections.abc import Callable

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.entries import StoredAbsence, StoredCompany, read_stored
from brskills_server.registry.dates import day_of
from brskills_server.registry.errors import CompanyNotFound
from brskills_server.registry.freshness import Freshness
from brskills_server.registry.store import Fields, Store, StoreFault
from brskills_server.registry.values import read_date

__all__ = ["FRESH_SECONDS", "STALE_SECONDS", "StoredAnswers"]

FRESH_SECONDS = 86_400
STALE_SECONDS = 45 * 86_400
_ANY_AGE = Freshness()


class StoredAnswers:
    """``clock``: epoch seconds; ``fresh_seconds``: how long a stored record serves."""

    def __init__(self, store: Store, fresh_seconds: int, clock: Callable[[], float]) -> None:
        self._store = store
        self._fresh_seconds = fresh_seconds
        self._clock = clock

    def find(
        self, cnpj: str, demand: Freshness, since: int | None = None
    ) -> Answer | StoredCompany | StoredAbsence | None:
        """Return the answer that serves, else what is stored, if anything; in the caller's thread.

        ``since``: the request was first counted then; what was stored since serves whatever its age, and so
        does what served then. Raise ``CompanyNotFound`` where that is what is stored, and serves.
        """
        stored = read_stored(self._load(cnpj), cnpj)
        if isinstance(stored, StoredAbsence):
            if self._serves(stored, demand, stored.fresh_seconds, since):
                raise CompanyNotFound(stored.confirmed, stored.data_base, paid=_is_paid(stored, since))
        elif stored and self._serves(stored, demand, self._fresh_seconds, since):
            return Answer(stored.text, stored.asked_at, int(self._clock()))
        return stored

    def was_paid_in_vain(self, stored: StoredCompany | StoredAbsence, demand: Freshness) -> bool:
        """Whether a paid address answered this day, and what it knows does not meet the demand."""
        now = self._clock()
        lasting = stored.fresh_seconds if isinstance(stored, StoredAbsence) else self._fresh_seconds
        is_recent = 0 <= now - stored.paid_at <= lasting and day_of(stored.paid_at) == day_of(now)
        return is_recent and not self._allows_data(stored, demand, now)

    def older(self, stored: StoredCompany | None, demand: Freshness) -> Answer | None:
        """What an older record answers where nothing newer is to be had; ``None`` if it does not serve."""
        if stored is None or not self._serves(stored, demand, STALE_SECONDS, None):
            return None
        now = int(self._clock())
        return Answer(stored.text, stored.asked_at, now, stale=now - stored.asked_at > self._fresh_seconds)

    def _load(self, cnpj: str) -> Fields | None:
        try:
            return self._store.load(cnpj)
        except StoreFault:
            return None

    def _serves(
        self, stored: StoredCompany | StoredAbsence, demand: Freshness, lasting: int, since: int | None
    ) -> bool:
        now = self._clock()
        if since is None:
            in_time = demand.allows_answer_of(stored.asked_at, now, lasting)
            return in_time and self._allows_data(stored, demand, now)
        is_newer = stored.asked_at >= since and _ANY_AGE.allows_answer_of(stored.asked_at, now, STALE_SECONDS)
        in_time = is_newer or demand.allows_answer_of(stored.asked_at, since, lasting)
        # The demand was met, or not, on the day of the first request.
        return in_time and any(self._allows_data(stored, demand, moment) for moment in (now, since))

    def _allows_data(self, stored: StoredCompany | StoredAbsence, demand: Freshness, now: float) -> bool:
        """A confirmed absence meets any demand: a source that is no dump said it."""
        if demand.max_data_age is None:  # then nothing is asked of the record
            return True
        if isinstance(stored, StoredAbsence):
            return stored.confirmed or demand.allows_data_of(read_date(stored.data_base), now)
        return demand.allows_data_of(stored.record.data_base, now)


def _is_paid(stored: StoredAbsence, since: int | None) -> bool:
    """Whether a paid address gave this absence to the request that is now repeated."""
    return since is not None and stored.paid_at >= since
