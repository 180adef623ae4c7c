"""Grants and OAuth clients in SQL."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, fields
from itertools import groupby
from typing import Any

from brskills_server.accounts.calendar import KEPT_MONTHS
from brskills_server.accounts.grant import Client, Grant
from brskills_server.adapters.sql.accounts import LOCK_ACCOUNT
from brskills_server.adapters.sql.database import (
    Conflict,
    Rollback,
    Row,
    Run,
    SqlStore,
    Value,
    Values,
    insert,
)

_FIELDS = [field.name for field in fields(Grant) if field.name != "calls"]
# One statement, so that tokens and counts are of one moment.
_READ = f"""
SELECT {", ".join(f"g.{name}" for name in _FIELDS)}, m.month, m.calls
  FROM grants g LEFT JOIN grant_months m ON m.grant_id = g.id
 WHERE {{which}} ORDER BY g.account, g.id"""  # noqa: S608, only names of columns
_ONE = _READ.format(which="g.id = :grant AND g.expires_at > :now")
_OF_ACCOUNT = _READ.format(which="g.account = :account AND g.expires_at > :now")
_OF_ACCOUNTS = _READ.format(which="g.account >= :first AND g.account <= :last")
_KEY_IS_ACTIVE = """
SELECT digest FROM keys
 WHERE account = :account AND digest = :key AND (expires_at = 0 OR expires_at > :now)"""
_HOW_MANY = "SELECT COUNT(*) FROM grants WHERE account = :account AND expires_at > :now"
_CHANGE = """
UPDATE grants
   SET family = :family, turn = :turn, access = :access, access_ends = :access_ends,
       former = :former, former_ends = :former_ends,
       used_at = :used_at, expires_at = :expires_at, version = :version
 WHERE id = :id AND version = :version - 1
RETURNING id"""
_USE = "UPDATE grants SET used_at = :now WHERE id = :grant RETURNING id"
_COUNT = """
INSERT INTO grant_months (grant_id, month, calls) VALUES (:grant, :month, :calls)
ON CONFLICT (grant_id, month) DO UPDATE SET calls = grant_months.calls + :calls"""
_DROP = """
DELETE FROM grant_months WHERE grant_id = :grant AND month <= :oldest AND month NOT IN
  (SELECT month FROM grant_months WHERE grant_id = :grant ORDER BY month DESC LIMIT :kept)"""

_SAVE_CLIENT = """
INSERT INTO clients (id, name, redirect_uris, uri, created_at, expires_at)
VALUES (:id, :name, :redirect_uris, :uri, :created_at, :expires_at)
ON CONFLICT (id)
DO UPDATE SET name = :name, redirect_uris = :redirect_uris, uri = :uri, created_at = :created_at,
              expires_at = :expires_at"""
_READ_CLIENT = """
SELECT id, name, redirect_uris, created_at, uri FROM clients WHERE id = :client AND expires_at > :now"""
_EXTEND = "UPDATE clients SET expires_at = :ends WHERE id = :client AND expires_at < :ends"


class SqlGrants(SqlStore):
    """``GrantStore`` in the tables ``grants``, ``grant_months``, ``clients``; mostly one statement each."""

    def open_grant(self, grant: Grant, most: int, now: int) -> bool:
        """Run one transaction, which locks the account."""
        opened = False
        of: Values = {"account": grant.account, "now": now}
        with suppress(Conflict), self._database.transaction() as run:
            if not run(LOCK_ACCOUNT, account=grant.account) or not run(_KEY_IS_ACTIVE, key=grant.key, **of):
                raise Rollback
            if run(_HOW_MANY, **of)[0][0] >= most:
                raise Rollback
            insert_grant(run, grant)
            opened = True
        return opened

    def read_grant(self, grant: str, now: int) -> Grant | None:
        return next(_grants(self._database.run(_ONE, grant=grant, now=now)), None)

    def grants_of(self, account: str, now: int) -> list[Grant]:
        return list(_grants(self._database.run(_OF_ACCOUNT, account=account, now=now)))

    def change_grant(self, grant: Grant) -> bool:
        return bool(self._database.run(_CHANGE, **_columns(grant)))

    def end_grant(self, account: str, grant: str) -> bool:
        statement = "DELETE FROM grants WHERE id = :grant AND account = :account RETURNING id"
        return bool(self._database.run(statement, grant=grant, account=account))

    def count_grant(self, grant: str, month: str, oldest: str, calls: int, now: int) -> None:
        with self._counters.transaction() as run:
            if not run(_USE, grant=grant, now=now):
                raise Rollback
            run(_COUNT, grant=grant, month=month, calls=calls)
            run(_DROP, grant=grant, oldest=oldest, kept=KEPT_MONTHS)

    def keep_client(self, client: Client, expires_at: int) -> None:
        save_client(self._database.run, client, expires_at)

    def read_client(self, client: str, now: int) -> Client | None:
        rows = self._database.run(_READ_CLIENT, client=client, now=now)
        return client_of(rows[0]) if rows else None

    def extend_client(self, client: str, expires_at: int) -> None:
        self._database.run(_EXTEND, client=client, ends=expires_at)


def grants_in(run: Run, first: str, last: str) -> dict[str, list[Grant]]:
    """Return the grants of accounts in a range of ids, by account."""
    found: dict[str, list[Grant]] = {}
    for grant in _grants(run(_OF_ACCOUNTS, first=first, last=last)):
        found.setdefault(grant.account, []).append(grant)
    return found


def insert_grant(run: Run, grant: Grant) -> None:
    """Insert a grant with its months. Raise ``Conflict`` if its id exists."""
    insert(run, "grants", **_columns(grant))
    for month, calls in grant.calls.items():
        run(_COUNT, grant=grant.id, month=month, calls=calls)


def save_client(run: Run, client: Client, expires_at: int) -> None:
    """Insert or replace a client."""
    uris = json.dumps(client.redirect_uris)
    run(_SAVE_CLIENT, **asdict(client) | {"redirect_uris": uris, "expires_at": expires_at})


def client_of(columns: Sequence[Any]) -> Client:
    """Return the client of its columns, in the order of its fields."""
    name, shown, uris, *others = columns
    return Client(name, shown, tuple(json.loads(uris)), *others)


def _grants(rows: list[Row]) -> Iterator[Grant]:
    """Return the grants of rows of ``_READ``."""
    for columns, months in groupby(rows, key=lambda row: row[: len(_FIELDS)]):
        calls = {month: count for *_, month, count in months if month is not None}
        values = dict(zip(_FIELDS, columns, strict=True))
        values["scopes"] = frozenset(json.loads(values["scopes"]))
        yield Grant(**values, calls=calls)


def _columns(grant: Grant) -> dict[str, Value]:
    values: dict[str, Value] = {name: getattr(grant, name) for name in _FIELDS}
    return values | {"scopes": json.dumps(sorted(grant.scopes))}
