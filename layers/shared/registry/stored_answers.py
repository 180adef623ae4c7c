"""What look-ups find in the store: which stored answer serves a demand, and for how long."""

from collections.abc import Callable

from registry.answer import Answer
from registry.demand import Demand
from registry.errors import CompanyNotFound
from registry.store import Fields, Store, StoreFault
from registry.stored import StoredAbsence, StoredCompany, read_stored
from registry.values import read_date

__all__ = ["FRESH_SECONDS", "STALE_SECONDS", "StoredAnswers"]

FRESH_SECONDS = 86_400
STALE_SECONDS = 45 * 86_400


class StoredAnswers:
    """``clock``: epoch seconds; ``fresh_seconds``: how long a stored record serves."""

    def __init__(self, store: Store, fresh_seconds: int, clock: Callable[[], float]) -> None:
        self._store = store
        self._fresh_seconds = fresh_seconds
        self._clock = clock

    def find(self, cnpj: str, demand: Demand) -> Answer | StoredCompany | None:
        """The answer that serves, else the older record, if any; in the caller's thread.

        Raises ``CompanyNotFound`` where that is what is stored, and serves.
        """
        stored = read_stored(self._load(cnpj), cnpj)
        if isinstance(stored, StoredAbsence):
            self._raise_if_it_serves(stored, demand)
            return None
        if stored and self._serves(stored, demand, self._fresh_seconds):
            return Answer(stored.text, stored.asked_at, int(self._clock()))
        return stored

    def older(self, stored: StoredCompany | None, demand: Demand) -> Answer | None:
        """What an older record answers where nothing newer is to be had; ``None`` if it does not serve."""
        if stored is None or not self._serves(stored, demand, STALE_SECONDS):
            return None
        now = int(self._clock())
        return Answer(stored.text, stored.asked_at, now, stale=now - stored.asked_at > self._fresh_seconds)

    def _load(self, cnpj: str) -> Fields | None:
        try:
            return self._store.load(cnpj)
        except StoreFault:
            return None

    def _serves(self, stored: StoredCompany, demand: Demand, lasting: int) -> bool:
        now = self._clock()
        in_time = demand.allows_answer_of(stored.asked_at, now, lasting)
        any_data = demand.max_data_age is None  # then nothing is asked of the record
        return in_time and (any_data or demand.allows_data_of(stored.record.data_base, now))

    def _raise_if_it_serves(self, stored: StoredAbsence, demand: Demand) -> None:
        """A confirmed one does whatever data is demanded: a source that is no dump said it."""
        now, day = self._clock(), read_date(stored.data_base)
        in_time = demand.allows_answer_of(stored.asked_at, now, stored.fresh_seconds)
        if in_time and (stored.confirmed or demand.allows_data_of(day, now)):
            raise CompanyNotFound(stored.confirmed, stored.data_base)
