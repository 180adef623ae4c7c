"""Maintenance of a relational store: migrate, delete what has expired, export and import records."""

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.maintenance import Record, StoredAccount, StoredCounts, StoredHistory, StoredRow
from brskills_server.adapters.sql.accounts import insert_account, pages_of_accounts
from brskills_server.adapters.sql.database import Conflict, Database, Row, Run, insert
from brskills_server.adapters.sql.day_counts import insert_history, stored_history
from brskills_server.adapters.sql.deliveries import insert_outbox, outbox_of
from brskills_server.adapters.sql.grants import grants_in, insert_grant
from brskills_server.adapters.sql.schema import migrate
from brskills_server.adapters.sql.watches import insert_watching, watching_of

_EXPIRING = (
    *("demo_months", "signups", "salts", "events", "claims", "releases"),
    *("clients", "grants", "history", "companies", "changes", "attempts", "account_events", "tasks"),
)
_PAGE = 500
_TIDY_SECONDS = 2 * 3600
"""The most that a run deletes beyond the run before: a clock that is months ahead deletes two hours more."""

_ADVANCE = """
UPDATE tidying SET until = CASE WHEN until = 0 OR until > :now - :most THEN :now ELSE until + :most END
 WHERE until < :now RETURNING until"""
_SET_CLOCK = "UPDATE tidying SET until = (SELECT COALESCE(MAX(expires_at) - 101 * 86400, 0) FROM history)"
"""A day of the history is kept for 100 days after the day on which calls were last added."""
_COUNTS = """
SELECT {name}, {when}, {count}, {others}, expires_at FROM {table}
 WHERE {name} IN (SELECT DISTINCT {name} FROM {table} WHERE {name} > :after ORDER BY {name} LIMIT :most)
 ORDER BY {name}"""
_DEMO = _COUNTS.format(
    table="demo_months", name="address", when="month", count="calls", others="absences, uncounted"
)
_SIGNUPS = _COUNTS.format(table="signups", name="pseudonym", when="day", count="issued", others="0, 0")
_HISTORY = ("day", "calls", "failed", "demo_calls", "demo_failed", "expires_at")

_ROWS = {
    "salt": ("salts", ("month", "salt", "expires_at")),
    "event": ("events", ("id", "expires_at")),
    "request": ("claims", ("id", "request", "calls", "answered", "expires_at")),
    "client": ("clients", ("id", "name", "redirect_uris", "uri", "created_at", "expires_at")),
    "company": ("companies", ("cnpj", "entry", "expires_at")),
    "state": ("provider_state", ("field", "number", "text")),
    "announcement": (
        "announcements",
        ("name", "announced", "target", "began", "after_cnpj", "after_account", "version"),
    ),
}
"""Kind of ``StoredRow`` → its table, and the columns of its name and fields."""

_AS_TEXT: dict[str, Callable[[Any], str]] = {
    "salt": bytes.hex,
    "redirect_uris": json.dumps,
    "entry": json.dumps,
}
_FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "salt": bytes.fromhex,
    "redirect_uris": lambda uris: tuple(json.loads(uris)),
    "entry": json.loads,
}


class SqlMaintenance:
    """``Maintenance`` of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def prepare(self) -> None:
        """Apply missing migrations."""
        migrate(self._database)

    def tidy(self, now: int) -> None:
        """Run one statement, and one for each table."""
        rows = self._database.run(_ADVANCE, now=now, most=_TIDY_SECONDS)
        until = rows[0][0] if rows else now
        for table in _EXPIRING:
            self._database.run(f"DELETE FROM {table} WHERE expires_at <= :until", until=until)  # noqa: S608, our own name

    def records(self) -> Generator[Record, None, None]:
        """Return the records of one moment, without later writes."""
        with self._database.snapshot() as run:
            for page in pages_of_accounts(run):
                grants = grants_in(run, page[0].account.id, page[-1].account.id)
                for stored in page:
                    of_account = sorted(grants.get(stored.account.id, ()), key=lambda grant: grant.id)
                    watching = watching_of(run, stored.account.id)
                    parts = outbox_of(run, stored.account.id)
                    yield replace(stored, grants=tuple(of_account), watching=watching, **parts)
            for kind, statement in (("demo", _DEMO), ("signup", _SIGNUPS)):
                for name, rows in groupby(_paged(run, statement), key=lambda row: row[0]):
                    yield _counts(kind, name, list(rows))
            yield from stored_history(_paged(run, _select("history", _HISTORY)))
            for kind, (table, columns) in _ROWS.items():
                for name, *values in _paged(run, _select(table, columns)):
                    yield StoredRow(kind, name, _fields(zip(columns[1:], values, strict=True)))

    def insert_records(self, records: Iterable[Record]) -> None:
        """Run one transaction: all are inserted, or none. In a store without accounts, set the tidy clock."""
        try:
            with self._database.transaction(alone=True) as run:
                is_live = run("SELECT id FROM accounts LIMIT 1")
                for record in records:
                    _insert(record, run)
                if not is_live:
                    run(_SET_CLOCK)
        except Conflict as conflict:
            raise StoreUnavailable("records conflict with stored ones; nothing was inserted") from conflict


def _select(table: str, columns: tuple[str, ...]) -> str:
    name = columns[0]
    return f"SELECT {', '.join(columns)} FROM {table} WHERE {name} > :after ORDER BY {name} LIMIT :most"  # noqa: S608, our own names


def _paged(run: Run, statement: str) -> Iterator[Row]:
    after = ""
    while page := run(statement, after=after, most=_PAGE):
        yield from page
        after = page[-1][0]


def _fields(columns: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {
        name: _FROM_TEXT[name](value) if name in _FROM_TEXT else value
        for name, value in columns
        if value is not None
    }


def _counts(kind: str, name: str, rows: list[Row]) -> StoredCounts:
    counts = {when: count for _, when, count, *_ in rows}
    absences = {when: free for _, when, _, free, *_ in rows if free}
    uncounted = {when: units for _, when, *_, units, _ in rows if units}
    return StoredCounts(kind, name, counts, absences, max(row[-1] for row in rows), uncounted)


def _insert(record: Record, run: Run) -> None:
    match record:
        case StoredAccount():
            _insert_account(record, run)
        case StoredCounts():
            _insert_counts(record, run)
        case StoredHistory():
            insert_history(run, record)
        case StoredRow():
            table, columns = _ROWS[record.kind]
            values = {
                name: _AS_TEXT[name](value) if name in _AS_TEXT else value
                for name, value in record.fields.items()
            }
            insert(run, table, **{columns[0]: record.name, **values})


def _insert_account(record: StoredAccount, run: Run) -> None:
    account = record.account
    insert_account(run, account)
    for month, calls in account.calls.items():
        free, units = record.absences.get(month, 0), record.uncounted.get(month, 0)
        insert(run, "months", account=account.id, month=month, calls=calls, absences=free, uncounted=units)
    for grant in record.grants:
        insert_grant(run, grant)
    insert_watching(run, account.id, record.watching)
    insert_outbox(run, record)


def _insert_counts(record: StoredCounts, run: Run) -> None:
    name, ends = record.name, record.expires_at
    for when, count in record.counts.items():
        if record.kind == "demo":
            free, units = record.absences.get(when, 0), record.uncounted.get(when, 0)
            columns = {"calls": count, "absences": free, "uncounted": units, "expires_at": ends}
            insert(run, "demo_months", address=name, month=when, **columns)
        else:
            insert(run, "signups", pseudonym=name, day=when, issued=count, expires_at=ends)
