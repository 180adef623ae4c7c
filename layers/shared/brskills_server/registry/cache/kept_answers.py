"""What look-ups leave in the store for later ones."""

from collections.abc import Sequence
from dataclasses import replace

from brskills_server.registry.cache.capital import with_exact_capital
from brskills_server.registry.cache.entries import StoredAbsence, StoredCompany
from brskills_server.registry.cache.stored_answers import STALE_SECONDS
from brskills_server.registry.company import Record
from brskills_server.registry.fail_safe_store import FailSafeStore

__all__ = ["KeptAnswers"]

_REPEATABLE_SECONDS = 86_400  # more than an absence serves others


class KeptAnswers:
    """The same store as ``stored_answers`` reads, as one that never raises."""

    def __init__(self, store: FailSafeStore) -> None:
        self._store = store

    async def keep(
        self, cnpj: str, records: Sequence[Record], stored: StoredCompany | None, now: int, paid_at: int = 0
    ) -> str:
        """Store the first of the records, with the help of the others and the stored one for its capital.

        Gives its JSON. ``now``: when its source answered. ``paid_at``: see ``StoredCompany``.
        """
        others = [*records[1:], *([stored.record] if stored else [])]
        record = with_exact_capital(records[0], others)
        company = StoredCompany(record.model_dump_json(), now, paid_at)
        await self._store.save(cnpj, company.to_fields(), now + STALE_SECONDS)
        return company.text

    async def mark_paid(self, cnpj: str, stored: StoredCompany, now: int) -> None:
        """Keep with a stored record that a paid address answered ``now``, and knew nothing newer."""
        marked = replace(stored, paid_at=now)
        await self._store.save(cnpj, marked.to_fields(), stored.asked_at + STALE_SECONDS)

    async def keep_absence(self, cnpj: str, absence: StoredAbsence) -> None:
        """Store that there is no such company: also for repetitions of the request, for a day."""
        await self._store.save(cnpj, absence.to_fields(), absence.asked_at + _REPEATABLE_SECONDS)
