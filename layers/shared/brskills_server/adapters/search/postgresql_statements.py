"""The statements of the search in PostgreSQL, and the words of a search as a ``tsquery``.

Source: https://www.postgresql.org/docs/current/datatype-textsearch.html#DATATYPE-TSQUERY.
"""

from collections.abc import Sequence

from brskills_server.adapters.snapshots.postgresql import table_of
from brskills_server.adapters.sql.database import Value
from brskills_server.registry.search.query import ANY, WordQuery
from brskills_server.registry.search.words import BEHIND_NUMBERS

MONTHS = """
SELECT m.name, m.format, m.day, m.texts, coalesce(to_jsonb(m) ->> 'id', ''),
       obj_description(to_regclass('search_' || replace(m.name, '-', '_')), 'pg_class') = :format
  FROM register_months m WHERE EXISTS (SELECT 1 FROM register_months WHERE current)
 ORDER BY m.current DESC"""
# Of all tables: where one is locked, this statement waits, and not the search.
VALUES = """
SELECT word FROM {words}
 WHERE word >= :first AND EXISTS (SELECT FROM {search}) AND EXISTS (SELECT FROM {rows})"""
EXISTS = "SELECT 1 FROM {words} WHERE word >= :first AND word < :end LIMIT 1"
NEAR = """
SELECT word FROM {words} WHERE word = ANY(string_to_array(:candidates, ' '))
 ORDER BY documents DESC, word LIMIT :limit"""
# What matches is found before it is ordered: the planner would else read all numbers in their order where it
# takes a rare search for a frequent one.
SEARCH = """
WITH {candidates} matching AS MATERIALIZED (
  SELECT number FROM {source} WHERE words @@ CAST(:query AS tsquery)),
page AS (SELECT number FROM matching WHERE number > :after ORDER BY number LIMIT :limit)
SELECT total.number, page.number, establishment.body, company.body
  FROM (SELECT count(*) AS number FROM matching) total LEFT JOIN page ON TRUE
  LEFT JOIN {rows} establishment ON establishment.key = page.number
  LEFT JOIN {rows} company ON company.key = left(page.number, {length}) COLLATE "C"
 ORDER BY page.number"""
OF_ROOTS = "candidates AS MATERIALIZED (SELECT number, words FROM {search} WHERE {ranges}),"


def search_table_of(name: str) -> str:
    """Return the table of a month's documents.

    >>> search_table_of("2026-09-12")
    'search_2026_09_12'
    """
    return table_of(name).replace("register_", "search_", 1)


def words_table_of(name: str) -> str:
    """Return the table of a month's vocabulary."""
    return table_of(name).replace("register_", "search_words_", 1)


def ranges_of(roots: Sequence[str]) -> tuple[str, dict[str, Value]]:
    """Return a condition for the numbers of roots, and its values; empty without roots."""
    values: dict[str, Value] = {}
    for place, root in enumerate(roots):
        values |= {f"first{place}": root, f"end{place}": root + BEHIND_NUMBERS}
    conditions = (f"number >= :first{place} AND number < :end{place}" for place in range(len(roots)))
    return " OR ".join(conditions), values


def tsquery_of(query: WordQuery) -> str:
    """Return the words of a search as a tsquery. Every word has letters, digits and ``_`` alone."""
    parts = [
        f"({' | '.join(' & '.join(map(_lexeme, words)) for words in clause)})" for clause in query.clauses
    ]
    parts += [f"!{_lexeme(word)}" for word in query.excluded]
    return " & ".join(parts)


def _lexeme(word: str) -> str:
    return f"'{word.removesuffix(ANY)}':*" if word.endswith(ANY) else f"'{word}'"
