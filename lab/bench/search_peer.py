"""A search as the open peers have it: JSON rows in PostgreSQL with an index for each of a few fields.

minha-receita stores a company as ``jsonb``, finds by state, municipality and main activity, and orders by a
cursor: without names and without a total.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.snapshot.rows import COMPANY_FIELDS, ESTABLISHMENT_FIELDS, row_values

_TABLE = 'CREATE TABLE peer (number TEXT COLLATE "C" NOT NULL, record JSONB NOT NULL)'
_INDEXES = """
ALTER TABLE peer ADD PRIMARY KEY (number);
CREATE INDEX ON peer ((record -> 'state')); CREATE INDEX ON peer ((record -> 'city'));
CREATE INDEX ON peer ((record -> 'activity')); ANALYZE peer"""
_ROWS = """
SELECT e.key, e.body, c.body FROM rows e JOIN rows c ON c.key = substr(e.key, 1, 8)
 WHERE length(e.key) = 14 AND e.body <> '' AND c.body <> ''"""
_FOUND = "SELECT record FROM peer WHERE number > %s AND {} ORDER BY number LIMIT %s"
_FIELDS = {"states": "state", "cities": "city", "activities": "activity", "statuses": "status"}


class JsonSearch:
    """The search by JSON's fields; ``file``: the snapshot's, of which all rows are copied."""

    def __init__(self, url: str, file: Path) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._connection.execute(_TABLE)
        with (
            closing(sqlite3.connect(file)) as source,
            self._connection.cursor() as cursor,
            cursor.copy("COPY peer FROM STDIN") as copy,
        ):
            for number, establishment, company in source.execute(_ROWS):
                copy.write_row((number, _json(establishment, company)))
        self._connection.execute(_INDEXES)

    def search(self, criteria: Criteria, after: str, limit: int) -> list[tuple[Any, ...]]:
        """Return the first records behind ``after``. A company's other activities are not searched."""
        conditions, values = [], list[Any]()
        for name, field in _FIELDS.items():
            if wanted := getattr(criteria, name):
                conditions.append(f"record -> '{field}' = ANY(%s::jsonb[])")
                values.append([json.dumps(one) for one in wanted])
        statement = _FOUND.format(" AND ".join(conditions))
        return self._connection.execute(statement.encode(), [after, *values, limit]).fetchall()


def is_possible(criteria: Criteria) -> bool:
    """Return whether a search has no other fields than those that the peer's has."""
    plain = Criteria(**{name: getattr(criteria, name) for name in _FIELDS})
    return criteria == plain


def _json(establishment: str, company: str) -> str:
    fields = dict(zip(COMPANY_FIELDS, row_values(COMPANY_FIELDS, company), strict=False))
    fields |= dict(zip(ESTABLISHMENT_FIELDS, row_values(ESTABLISHMENT_FIELDS, establishment), strict=False))
    return json.dumps(fields, ensure_ascii=False)
