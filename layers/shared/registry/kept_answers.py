"""What look-ups leave in the store for later ones."""

from collections.abc import Sequence

from registry.capital import with_exact_capital
from registry.company import Record
from registry.fail_safe_store import FailSafeStore
from registry.stored import StoredAbsence, StoredCompany
from registry.stored_answers import STALE_SECONDS

__all__ = ["KeptAnswers"]


class KeptAnswers:
    """The same store as ``stored_answers`` reads, as one that never raises."""

    def __init__(self, store: FailSafeStore) -> None:
        self._store = store

    async def keep(self, cnpj: str, records: Sequence[Record], stored: StoredCompany | None, now: int) -> str:
        """Store the first of the records, with the help of the others and the stored one for its capital.

        Gives its JSON. ``now``: when its source answered.
        """
        others = [*records[1:], *([stored.record] if stored else [])]
        record = with_exact_capital(records[0], others)
        company = StoredCompany(record.model_dump_json(), now)
        await self._store.save(cnpj, company.to_fields(), now + STALE_SECONDS)
        return company.text

    async def keep_absence(self, cnpj: str, absence: StoredAbsence) -> None:
        """Store that there is no such company."""
        await self._store.save(cnpj, absence.to_fields(), absence.asked_at + absence.fresh_seconds)
