"""Maintenance of a relational store: migrate, delete what has expired, export and import everything."""

import json
from collections.abc import Generator, Iterable, Iterator
from dataclasses import asdict, replace
from itertools import groupby

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.maintenance import (
    KeptAccount,
    KeptClient,
    KeptCompany,
    KeptCounts,
    KeptEvent,
    KeptHistory,
    KeptRequest,
    KeptSalt,
    KeptState,
    Record,
)
from brskills_server.adapters.sql.accounts import insert_account, pages_of_accounts
from brskills_server.adapters.sql.companies import SAVE, SET_FIELD, field_columns
from brskills_server.adapters.sql.database import Conflict, Database, Row, Run, Values
from brskills_server.adapters.sql.grants import client_of, grants_in, insert_grant, save_client
from brskills_server.adapters.sql.history import insert_history, kept_history
from brskills_server.adapters.sql.schema import migrate
from brskills_server.metering.idempotency_record import IdempotencyRecord

_EXPIRING = (
    *("demo_months", "signups", "salts", "events", "claims", "releases"),
    *("clients", "grants", "history", "companies"),
)
_PAGE = 500
_TIDY_SECONDS = 2 * 3600
"""The most that a run deletes beyond the run before: a clock that is months ahead deletes two hours more."""

_ADVANCE = """
UPDATE tidying SET until = CASE WHEN until = 0 OR until > :now - :most THEN :now ELSE until + :most END
 WHERE until < :now RETURNING until"""
_RESTORED = "UPDATE tidying SET until = (SELECT COALESCE(MAX(expires_at) - 101 * 86400, 0) FROM history)"
"""A day of the history is kept for 100 days after the day on which calls were last added."""
_DEMO = """
SELECT address, month, calls, absences, expires_at FROM demo_months
 WHERE address IN (SELECT DISTINCT address FROM demo_months WHERE address > :after
                    ORDER BY address LIMIT :most)
 ORDER BY address"""
_SIGNUPS = """
SELECT pseudonym, day, issued, 0, expires_at FROM signups
 WHERE pseudonym IN (SELECT DISTINCT pseudonym FROM signups WHERE pseudonym > :after
                      ORDER BY pseudonym LIMIT :most)
 ORDER BY pseudonym"""
_SALTS = "SELECT month, salt, expires_at FROM salts WHERE month > :after ORDER BY month LIMIT :most"
_EVENTS = "SELECT id, expires_at FROM events WHERE id > :after ORDER BY id LIMIT :most"
_CLAIMS = (
    "SELECT id, request, calls, answered, expires_at FROM claims WHERE id > :after ORDER BY id LIMIT :most"
)
_CLIENTS = (
    "SELECT id, name, redirect_uris, created_at, uri, expires_at FROM clients"
    " WHERE id > :after ORDER BY id LIMIT :most"
)
_HISTORY = (
    "SELECT day, calls, failed, demo_calls, demo_failed, expires_at FROM history"
    " WHERE day > :after ORDER BY day LIMIT :most"
)
_COMPANIES = "SELECT cnpj, entry, expires_at FROM companies WHERE cnpj > :after ORDER BY cnpj LIMIT :most"
_STATE = (
    "SELECT field, COALESCE(number, 0), text FROM provider_state"
    " WHERE field > :after ORDER BY field LIMIT :most"
)


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
                for kept in page:
                    of_account = sorted(grants.get(kept.account.id, ()), key=lambda grant: grant.id)
                    yield replace(kept, grants=tuple(of_account))
            for kind, statement in (("demo", _DEMO), ("signup", _SIGNUPS)):
                for name, rows in groupby(_rows(run, statement), key=lambda row: row[0]):
                    yield _counts(kind, name, list(rows))
            for month, salt, expires_at in _rows(run, _SALTS):
                yield KeptSalt(month, bytes.fromhex(salt), expires_at)
            for event, expires_at in _rows(run, _EVENTS):
                yield KeptEvent(event, expires_at)
            for request, *fields in _rows(run, _CLAIMS):
                yield KeptRequest(request, IdempotencyRecord(*fields))
            for *client, expires_at in _rows(run, _CLIENTS):
                yield KeptClient(client_of(client), expires_at)
            yield from kept_history(_rows(run, _HISTORY))
            for cnpj, entry, expires_at in _rows(run, _COMPANIES):
                yield KeptCompany(cnpj, json.loads(entry), expires_at)
            for field, number, text in _rows(run, _STATE):
                yield KeptState(field, number if text is None else text)

    def keep(self, records: Iterable[Record]) -> None:
        try:
            with self._database.transaction(alone=True) as run:
                for record in records:
                    _keep(record, run)
                run(_RESTORED)
        except Conflict as conflict:
            raise StoreUnavailable("another process writes there; nothing was kept") from conflict


def _rows(run: Run, statement: str) -> Iterator[Row]:
    after = ""
    while page := run(statement, after=after, most=_PAGE):
        yield from page
        after = page[-1][0]


def _counts(kind: str, name: str, rows: list[Row]) -> KeptCounts:
    counts = {when: count for _, when, count, _, _ in rows}
    absences = {when: free for _, when, _, free, _ in rows if free}
    return KeptCounts(kind, name, counts, absences, max(row[-1] for row in rows))


def _keep(record: Record, run: Run) -> None:
    match record:
        case KeptAccount():
            _keep_account(record, run)
        case KeptCounts():
            _keep_counts(record, run)
        case KeptSalt():
            salt = record.salt.hex()
            _insert(run, "salts", {"month": record.month, "salt": salt, "expires_at": record.expires_at})
        case KeptEvent():
            _insert(run, "events", {"id": record.id, "expires_at": record.expires_at})
        case KeptRequest():
            fields: Values = asdict(record.record)
            _insert(run, "claims", {"id": record.id, "request": fields.pop("fingerprint"), **fields})
        case KeptClient():
            save_client(run, record.client, record.expires_at)
        case KeptHistory():
            insert_history(run, record)
        case KeptCompany():
            entry = json.dumps(dict(record.entry))
            run(SAVE, cnpj=record.cnpj, entry=entry, expires_at=record.expires_at)
        case KeptState():
            run(SET_FIELD, field=record.field, **field_columns(record.value))


def _keep_account(record: KeptAccount, run: Run) -> None:
    account = record.account
    insert_account(run, account)
    for month, calls in account.calls.items():
        absences = record.absences.get(month, 0)
        _insert(run, "months", {"account": account.id, "month": month, "calls": calls, "absences": absences})
    for grant in record.grants:
        insert_grant(run, grant)


def _keep_counts(record: KeptCounts, run: Run) -> None:
    for when, count in record.counts.items():
        ends: Values = {"expires_at": record.expires_at}
        if record.kind == "demo":
            absences = record.absences.get(when, 0)
            values: Values = {"address": record.name, "month": when, "calls": count, "absences": absences}
            _insert(run, "demo_months", values | ends)
        else:
            _insert(run, "signups", {"pseudonym": record.name, "day": when, "issued": count, **ends})


def _insert(run: Run, table: str, values: Values) -> None:
    places = ", ".join(f":{column}" for column in values)
    run(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", **values)  # noqa: S608, our own names
