"""The search in the database that ``STORE`` names: two tables for each month, beside that of its rows.

    search_2026_09_12 (number, words)
    search_words_2026_09_12 (word, documents)

The builder creates them with the month. ``words`` is a tsvector without positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.postgresql import PostgresDatabase
from brskills_server.adapters.search.editions import choose
from brskills_server.adapters.snapshots.postgresql import table_of
from brskills_server.adapters.snapshots.stored import edition_of
from brskills_server.adapters.sql.database import Database, Row, Run, Value
from brskills_server.adapters.stores import StoreSettings
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.documents import OPENED, ROOT_LENGTH
from brskills_server.registry.search.near import near
from brskills_server.registry.search.query import ANY, Clause, clauses_of
from brskills_server.registry.search.register_search import MOST_COUNTED, Page, RegisterSearch
from brskills_server.registry.search.words import BEHIND_DIGITS, BEHIND_LETTERS, BEHIND_NUMBERS
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany
from brskills_server.registry.store import StoreFault

_SECONDS = 1.5
_CONNECTIONS = 4  # of one process, beside those for accounts and look-ups

_MONTHS = """
SELECT m.name, m.format, m.day, m.texts, coalesce(to_jsonb(m) ->> 'id', ''),
       to_regclass('search_' || replace(m.name, '-', '_')) IS NOT NULL
  FROM register_months m WHERE EXISTS (SELECT 1 FROM register_months WHERE current)
 ORDER BY m.current DESC"""
_YEARS = "SELECT word FROM {words} WHERE word >= :first AND word < :end"
_EXISTS = "SELECT 1 FROM {words} WHERE word >= :first AND word < :end LIMIT 1"
_NEAR = """
SELECT word FROM {words} WHERE word = ANY(string_to_array(:candidates, ' '))
 ORDER BY documents DESC, word LIMIT :limit"""
# What matches is found before it is ordered: the planner would else read all numbers in their order where it
# takes a rare search for a frequent one.
_SEARCH = """
WITH {candidates} matching AS MATERIALIZED (
  SELECT number FROM {source} WHERE words @@ CAST(:query AS tsquery)),
page AS (SELECT number FROM matching WHERE number > :after ORDER BY number LIMIT :limit)
SELECT total.number, page.number, establishment.body, company.body
  FROM (SELECT count(*) AS number FROM matching) total LEFT JOIN page ON TRUE
  LEFT JOIN {rows} establishment ON establishment.key = page.number
  LEFT JOIN {rows} company ON company.key = left(page.number, {length}) COLLATE "C"
 ORDER BY page.number"""
_OF_ROOTS = "candidates AS MATERIALIZED (SELECT number, words FROM {search} WHERE {ranges}),"


def search_table_of(name: str) -> str:
    """Return the table of a month's documents.

    >>> search_table_of("2026-09-12")
    'search_2026_09_12'
    """
    return table_of(name).replace("register_", "search_", 1)


def words_table_of(name: str) -> str:
    """Return the table of a month's vocabulary."""
    return table_of(name).replace("register_", "search_words_", 1)


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
            exists = month.sql(_EXISTS)
            missing = [word for word in words if not run(exists, first=word, end=word + BEHIND_LETTERS)]
            candidates = " ".join(set[str]().union(*map(near, missing)))
            found = run(month.sql(_NEAR), candidates=candidates, limit=limit)
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
    months = run(_MONTHS)
    return [_Month(name, edition_of(*facts)) if indexed else None for name, *facts, indexed in months]


def _search(run: Run, month: _Month, criteria: Criteria, after: str, limit: int) -> Page:
    found = run(month.sql(_YEARS), first=OPENED, end=OPENED + BEHIND_DIGITS)
    clauses = clauses_of(criteria, sorted(word.removeprefix(OPENED) for (word,) in found))
    rows: list[Row] = []
    if all(clauses):
        ranges, values = _ranges(criteria.roots)
        statement = month.sql(
            _SEARCH,
            candidates=month.sql(_OF_ROOTS, ranges=ranges) if ranges else "",
            source="candidates" if ranges else search_table_of(month.name),
        )
        rows = run(statement, query=_query_of(clauses), after=after, limit=limit + 1, **values)
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


def _ranges(roots: Sequence[str]) -> tuple[str, dict[str, Value]]:
    """Return a condition for the numbers of roots, and its values; empty without roots."""
    values: dict[str, Value] = {}
    for place, root in enumerate(roots):
        values |= {f"first{place}": root, f"end{place}": root + BEHIND_NUMBERS}
    conditions = (f"number >= :first{place} AND number < :end{place}" for place in range(len(roots)))
    return " OR ".join(conditions), values


def _query_of(clauses: Sequence[Clause]) -> str:
    """Return the clauses as a tsquery. Every word has letters, digits and ``_`` alone."""
    return " & ".join(
        f"({' | '.join(' & '.join(map(_lexeme, words)) for words in clause)})" for clause in clauses
    )


def _lexeme(word: str) -> str:
    return f"'{word.removesuffix(ANY)}':*" if word.endswith(ANY) else f"'{word}'"


def open_search(settings: StoreSettings) -> RegisterSearch:
    """Return the search in the database of ``STORE``, without a request yet."""
    seconds = min(_SECONDS, settings.store_seconds)
    return PostgresSearch(PostgresDatabase(settings.store, seconds, _CONNECTIONS))
