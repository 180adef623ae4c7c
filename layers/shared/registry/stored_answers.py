"""What look-ups find in the store and leave there: which stored answer serves a demand, and for how long."""

from collections.abc import Callable, Sequence

from registry.answer import Answer
from registry.capital import with_exact_capital
from registry.company import Record
from registry.demand import Demand
from registry.errors import CompanyNotFound
from registry.fail_safe_store import FailSafeStore
from registry.stored import StoredAbsence, StoredCompany, read_stored
from registry.values import read_date

__all__ = ["FRESH_SECONDS", "STALE_SECONDS", "StoredAnswers"]

FRESH_SECONDS = 86_400
STALE_SECONDS = 45 * 86_400


class StoredAnswers:
    """``clock``: epoch seconds; ``fresh_seconds``: how long a stored record serves."""

    def __init__(self, store: FailSafeStore, fresh_seconds: int, clock: Callable[[], float]) -> None:
        self._store = store
        self._fresh_seconds = fresh_seconds
        self._clock = clock

    def find(self, cnpj: str, demand: Demand) -> Answer | StoredCompany | None:
        """The answer that serves, else the older record, if any; in the caller's thread.

        Raises ``CompanyNotFound`` where that is what is stored, and serves.
        """
        stored = read_stored(self._store.load(cnpj), cnpj)
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

    async def keep(self, cnpj: str, records: Sequence[Record], stored: StoredCompany | None, now: int) -> str:
        """Store the first of the records, with the help of the others and the stored one for its capital.

        Gives its JSON. ``now``: when its source answered.
        """
        others = [*records[1:], *([stored.record] if stored else [])]
        record = with_exact_capital(records[0], others)
        company = StoredCompany(record.model_dump_json(), record, now)
        await self._store.save(cnpj, company.to_fields(), now + STALE_SECONDS)
        return company.text

    async def keep_absence(self, cnpj: str, absence: StoredAbsence) -> None:
        """Store that there is no such company."""
        await self._store.save(cnpj, absence.to_fields(), absence.asked_at + absence.fresh_seconds)

    def _serves(self, stored: StoredCompany, demand: Demand, lasting: int) -> bool:
        now = self._clock()
        in_time = demand.allows_answer_of(stored.asked_at, now, lasting)
        return in_time and demand.allows_data_of(stored.record.data_base, now)

    def _raise_if_it_serves(self, stored: StoredAbsence, demand: Demand) -> None:
        """A confirmed one does whatever data is demanded: a source that is no dump said it."""
        now, day = self._clock(), read_date(stored.data_base)
        in_time = demand.allows_answer_of(stored.asked_at, now, stored.fresh_seconds)
        if in_time and (stored.confirmed or demand.allows_data_of(day, now)):
            raise CompanyNotFound(stored.confirmed, stored.data_base)
