"""The look-up in the caller's thread, without providers: sandbox, register's snapshot if first, and cache."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.answer_cache import AnswerCache
from brskills_server.registry.cache.entries import StoredCompany
from brskills_server.registry.providers.results import Failed, Missing, Outdated, Rejected, Skipped
from brskills_server.registry.query import Payer, Query
from brskills_server.registry.sandbox import SANDBOX_NUMBERS, sandbox_answer
from brskills_server.registry.snapshot.source import PROVIDER as SNAPSHOT
from brskills_server.registry.snapshot.source import Reading, SnapshotSource
from brskills_server.registry.store import Fields


@dataclass(slots=True)
class PendingLookup:
    """A look-up that providers have to answer.

    ``stored``: an older record. ``snapshot``: the snapshot's result, where it was read already. ``paid_at``:
    when a paid address last answered without meeting the requested freshness; ``paid_in_vain``: it would do
    so again. ``has_paid``: a paid address has answered this look-up.
    """

    query: Query
    stored: StoredCompany | None = None
    snapshot: Missing | Failed | Rejected | Skipped | Outdated | None = None
    paid_at: int = 0
    paid_in_vain: bool = False
    has_paid: bool = False

    @property
    def payer(self) -> Payer | None:
        """The payer, if a paid address may be called."""
        return None if self.paid_in_vain else self.query.payer


class LocalLookup:
    """The first step of a look-up. ``first``: the snapshot, if it is read before the cache."""

    def __init__(
        self, cache: AnswerCache, snapshot: SnapshotSource | None = None, *, snapshot_first: bool = False
    ) -> None:
        self.cache = cache
        self.clock = cache.clock
        self.snapshot = snapshot
        self.first = snapshot if snapshot_first else None

    def look_up(self, query: Query) -> Answer | PendingLookup:
        """Return the answer, or what is known for the providers' look-up.

        Raise ``CompanyNotFound`` and, for a number of the sandbox, ``SourcesUnavailable``.
        """
        known = self.look_up_unstored(query, self.read_first([query]))
        return (
            self.look_up_stored(known, self.cache.load(query.cnpj))
            if isinstance(known, PendingLookup)
            else known
        )

    def read_first(self, queries: Iterable[Query]) -> Mapping[str, Reading]:
        """Return by number what the snapshot has, if it is read before the cache."""
        if self.first is None:
            return {}
        numbers = [query.cnpj for query in queries if query.cnpj not in SANDBOX_NUMBERS]
        return dict(zip(numbers, self.first.read_many(numbers), strict=True)) if numbers else {}

    def look_up_unstored(self, query: Query, first: Mapping[str, Reading]) -> Answer | PendingLookup:
        """Return what sandbox and snapshot know, before the cache is read. Raise as `look_up`.

        ``first``: of `read_first`.
        """
        if query.cnpj in SANDBOX_NUMBERS:
            return sandbox_answer(query, int(self.clock()))
        read = first.get(query.cnpj)
        found = self._answer(query, read) if isinstance(read, str) else read
        return found if isinstance(found, Answer) else PendingLookup(query, snapshot=found)

    def look_up_stored(self, pending: PendingLookup, loaded: Fields | None) -> Answer | PendingLookup:
        """Return the answer by what the cache has loaded. Raise ``CompanyNotFound``."""
        stored = self.cache.read(pending.query, loaded)
        if isinstance(stored, Answer):
            return stored
        if stored and stored.paid_at:
            pending.paid_at = stored.paid_at
            pending.paid_in_vain = self.cache.paid_in_vain(stored, pending.query.freshness)
        if isinstance(stored, StoredCompany):
            pending.stored = stored
        return pending

    def _answer(self, query: Query, record: str) -> Answer | Outdated:
        now = int(self.clock())
        answer = Answer(record, now, now, live=True)
        if query.freshness.max_data_age is None:  # the record need not be read
            return answer
        moments = (now, query.repetition.since) if query.repetition else (now,)
        if any(query.freshness.allows_data_of(answer.record.data_base, moment) for moment in moments):
            return answer
        return Outdated(SNAPSHOT, answer.record)
