"""Stored companies, and the shared state of the providers (``brskills_server.registry.store.Store``)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.sql.database import Database, Row, Value, Values, places_of
from brskills_server.registry.store import Fields, StoreFault

SAVE = """
INSERT INTO companies (cnpj, entry, expires_at) VALUES (:cnpj, :entry, :expires_at)
ON CONFLICT (cnpj) DO UPDATE SET entry = :entry, expires_at = :expires_at"""
SET_FIELD = """
INSERT INTO provider_state (field, number, text) VALUES (:field, :number, :text)
ON CONFLICT (field) DO UPDATE SET number = :number, text = :text"""
_CLAIM = """
INSERT INTO provider_state (field, number, text) VALUES (:field, :value, NULL)
ON CONFLICT (field) DO UPDATE SET number = :value, text = NULL
 WHERE provider_state.number <= :at_most
RETURNING field"""


class SqlCompanies:
    """The tables ``companies`` and ``provider_state``, a statement each if not stated."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, cnpj: str) -> Fields | None:
        rows = self._run("SELECT entry, expires_at FROM companies WHERE cnpj = :cnpj", cnpj=cnpj)
        return {**json.loads(rows[0][0]), "expires_at": rows[0][1]} if rows else None

    def load_many(self, cnpjs: Sequence[str]) -> Mapping[str, Fields]:
        ((places, values),) = places_of([(cnpj,) for cnpj in cnpjs])
        rows = self._run(f"SELECT cnpj, entry, expires_at FROM companies WHERE cnpj IN ({places})", **values)  # noqa: S608, our own names
        return {cnpj: {**json.loads(entry), "expires_at": expires_at} for cnpj, entry, expires_at in rows}

    def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        self._run(SAVE, cnpj=cnpj, entry=json.dumps(dict(entry)), expires_at=expires_at)

    def state(self) -> Fields:
        rows = self._run("SELECT field, number, text FROM provider_state")
        return {field: text if number is None else number for field, number, text in rows}

    def set_state(self, changes: Fields) -> None:
        """Run one transaction, always in the same order, so that two do not wait for each other."""
        with _translate_errors(), self._database.transaction() as run:
            for field, value in sorted(changes.items()):
                run(SET_FIELD, field=field, **field_columns(value))

    def claim(self, field: str, value: int, at_most: int) -> bool:
        return bool(self._run(_CLAIM, field=field, value=value, at_most=at_most))

    def _run(self, statement: str, **values: Value) -> list[Row]:
        with _translate_errors():
            return self._database.run(statement, **values)


def field_columns(value: str | int) -> Values:
    """Return the columns of a field of the shared state."""
    return {"number": value, "text": None} if isinstance(value, int) else {"number": None, "text": value}


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except StoreUnavailable as failure:
        raise StoreFault(str(failure)) from failure
