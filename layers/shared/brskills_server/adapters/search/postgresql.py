"""The search in the database that ``STORE`` names: two tables for each month, beside that of its rows.

    search_2026_09_12 (number, words)
    search_words_2026_09_12 (word, documents)

The builder creates them with the month. ``words`` is a tsvector without positions; the first one's comment
is the format of its words, `search_file.FORMAT`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from psycopg.errors import QueryCanceled

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.postgresql import PostgresDatabase
from brskills_server.adapters.search.editions import choose
from brskills_server.adapters.search.postgresql_statements import (
    EXISTS,
    MONTHS,
    NEAR,
    OF_ROOTS,
    SEARCH,
    VALUES,
    ranges_of,
    search_table_of,
    tsquery_of,
    words_table_of,
)
from brskills_server.adapters.search.search_file import FORMAT
from brskills_server.adapters.snapshots.postgresql import table_of
from brskills_server.adapters.snapshots.stored import edition_of
from brskills_server.adapters.sql.database import Database, Row, Run
from brskills_server.adapters.stores import StoreSettings
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.documents import OPENED, ROOT_LENGTH
from brskills_server.registry.search.near import near_any
from brskills_server.registry.search.query import query_of
from brskills_server.registry.search.register_search import (
    MOST_COUNTED,
    Page,
    RegisterSearch,
    TooMuchWork,
)
from brskills_server.registry.search.words import BEHIND_LETTERS
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany
from brskills_server.registry.store import StoreFault

_SECONDS = 1.5
_READY_SECONDS = 0.25
"""In which an idle server has answered what comes before the search itself, some milliseconds' work."""
_CONNECTIONS = 4  # of one process, beside those for accounts and look-ups


class _Month(NamedTuple):
    name: str
    edition: Edition

    def sql(self, statement: str, **parts: str) -> str:
        """Return a statement with the names of the month's tables."""
        tables = {
            "rows": table_of(self.name),
            "search": search_table_of(self.name),
            "words": words_table_of(self.name),
        }
        return statement.format(**tables, length=ROOT_LENGTH, **parts)


class PostgresSearch:
    """A ``RegisterSearch`` in a database. A month that was published without an index has none."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def search(self, criteria: Criteria, after: str, limit: int, edition_id: str = "") -> Page | None:
        """Return the first companies behind ``after``, of ``edition_id`` or the current month."""
        with self._reading() as run:
            month = choose(_months(run), edition_id)
            return _search(run, month, criteria, after, limit) if month else None

    def near_words(self, words: Sequence[str], limit: int = 5) -> list[str]:
        """Return words that are one letter away from those of ``words`` that no name has."""
        with self._reading() as run:
            month = choose(_months(run), "")
            if month is None:
                return []
            exists = month.sql(EXISTS)
            missing = [word for word in words if not run(exists, first=word, end=word + BEHIND_LETTERS)]
            candidates = " ".join(near_any(missing))
            found = run(month.sql(NEAR), candidates=candidates, limit=limit)
            return [word for (word,) in found]

    @contextmanager
    def _reading(self) -> Iterator[Run]:
        """Run statements that see the same months. Raise `StoreFault`."""
        try:
            with self._database.snapshot() as run:
                yield run
        except StoreUnavailable as failure:
            raise StoreFault(f"the search: {failure}") from failure


def _months(run: Run) -> list[_Month | None]:
    """Return the months that have an index, the current one first."""
    if run("SELECT to_regclass('register_months')") == [(None,)]:
        return []
    months = run(MONTHS, format=FORMAT)
    return [_Month(name, edition_of(*facts)) if indexed else None for name, *facts, indexed in months]


def _search(run: Run, month: _Month, criteria: Criteria, after: str, limit: int) -> Page:
    began = time.monotonic()
    known = run(month.sql(VALUES), first=OPENED)
    is_well = time.monotonic() - began < _READY_SECONDS
    query = query_of(criteria, [word for (word,) in known])
    rows: list[Row] = []
    if all(query.clauses):
        ranges, values = ranges_of(criteria.roots)
        statement = month.sql(
            SEARCH,
            candidates=month.sql(OF_ROOTS, ranges=ranges) if ranges else "",
            source="candidates" if ranges else search_table_of(month.name),
        )
        try:
            rows = run(statement, query=tsquery_of(query), after=after, limit=limit + 1, **values)
        except QueryCanceled:
            if is_well:
                raise TooMuchWork from None
            raise
    total = rows[0][0] if rows else 0
    companies = [
        SnapshotCompany(number, establishment, company, month.edition)
        for _, number, establishment, company in rows
        if number is not None
    ]
    return Page(
        month.edition,
        companies[:limit],
        min(total, MOST_COUNTED),
        total <= MOST_COUNTED,
        len(companies) > limit,
    )


def open_search(settings: StoreSettings) -> RegisterSearch:
    """Return the search in the database of ``STORE``, without a request yet."""
    seconds = min(_SECONDS, settings.store_seconds)
    return PostgresSearch(PostgresDatabase(settings.store, seconds, _CONNECTIONS))
