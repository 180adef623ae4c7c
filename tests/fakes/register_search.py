"""A search over the rows of months in memory, which reads every row."""

from collections.abc import Mapping, Sequence
from datetime import date

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.register_search import MOST_COUNTED, EditionGone, Page
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany
from tests.register.company import companies
from tests.register.copy_file import Json, rows_of
from tests.register.matching import matches, registered
from tests.register.truth import records

DAY = date(2026, 9, 12)


class FakeSearch:
    """``months``: rows by key of the editions that are kept, the current one first."""

    def __init__(self, rows: Mapping[str, str], edition: Edition) -> None:
        self.months = [(edition, rows)]
        self.failure: Exception | None = None
        self.near_failure: Exception | None = None
        self.most_counted = MOST_COUNTED
        self.asked = 0

    def replace(self, rows: Mapping[str, str], edition: Edition, *, keep: bool) -> None:
        """Put another month in place, and keep the one before or not."""
        self.months = [(edition, rows), *(self.months[:1] if keep else [])]

    def search(self, criteria: Criteria, after: str, limit: int, edition_id: str = "") -> Page | None:
        if self.failure:
            raise self.failure
        if not self.months:
            return None
        found = [month for month in self.months if edition_id in ("", month[0].id)]
        if not found:
            raise EditionGone
        edition, rows = found[0]
        numbers = [one.number for one in registered(rows) if matches(criteria, one)]
        behind = [number for number in numbers if number > after]
        shown = [SnapshotCompany(one, rows[one], rows[one[:8]], edition) for one in behind[:limit]]
        total = min(len(numbers), self.most_counted)
        return Page(edition, shown, total, len(numbers) <= self.most_counted, bool(behind[limit:]))

    def near_words(self, words: Sequence[str], limit: int = 5) -> list[str]:
        if self.near_failure:
            raise self.near_failure
        self.asked = len(words)
        return [f"{word}X" for word in words][:limit]


def invented(seed: int, count: int) -> list[Json]:
    """Return the records of some companies, by their numbers."""
    made = {}
    for company in companies(seed, count):
        made |= records(company, DAY)
    return [made[number] for number in sorted(made)]


def rows_of_all(found: Sequence[Json]) -> dict[str, str]:
    """Return the rows of records by their keys."""
    return {key: row for record in found for key, row in rows_of(record).items()}
