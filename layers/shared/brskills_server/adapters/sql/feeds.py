"""Feeds of what changed, in SQL, and the announcement.

A feed's last place is a column of its account, whose lock makes the order of places that of commits.
"""

import json
from collections.abc import Sequence
from itertools import count, groupby
from typing import Any

from brskills_server.adapters.sql.database import Run, Value, Values, insert_rows
from brskills_server.adapters.sql.deliveries import SqlDeliveries, insert_deliveries
from brskills_server.watches.watch import Announcement, Change, Listed
from brskills_server.webhooks.event import company_changed

_CHANGE = "place, id, cnpj, reference, day, changes"
_FEED = f"""
SELECT {_CHANGE} FROM changes WHERE account = :account AND place > :after AND expires_at > :now
 ORDER BY place LIMIT :most"""  # noqa: S608, only names of columns
_WHOLE_FEED = f"SELECT expires_at, {_CHANGE} FROM changes WHERE account = :account ORDER BY place"  # noqa: S608, the same
_TAKE_PLACES = """
UPDATE accounts SET last_place = last_place + :places WHERE id = :account
RETURNING last_place, (SELECT COUNT(*) FROM webhooks WHERE account = :account)"""
_ADD = f"INSERT INTO changes (account, expires_at, {_CHANGE}) VALUES"
_ONCE = " ON CONFLICT (account, id) DO NOTHING RETURNING account, id"

_ANNOUNCEMENT = "announced, target, began, after_cnpj, after_account, version"
_BEGIN = f"""
INSERT INTO announcements (name, {_ANNOUNCEMENT})
VALUES (:name, :announced, :target, :began, :after_cnpj, :after_account, :version)
ON CONFLICT (name) DO NOTHING RETURNING name"""  # noqa: S608, only names of columns
_CONTINUE = """
UPDATE announcements
   SET announced = :announced, target = :target, began = :began, after_cnpj = :after_cnpj,
       after_account = :after_account, version = :version
 WHERE name = :name AND version = :version - 1 RETURNING name"""
_NAME = "register"


class SqlFeeds(SqlDeliveries):
    """The feeds of ``WatchStore`` in the table ``changes``, its announcement in ``announcements``."""

    def add_changes(self, changes: Sequence[tuple[str, Change]], now: int, expires_at: int) -> None:
        """Run one transaction, which locks the accounts in one order, so that no two wait for each other."""
        by_account = sorted(changes, key=lambda one: one[0])
        with self._database.transaction() as run:
            rows: list[Sequence[Value]] = []
            called: dict[str, list[Change]] = {}
            for account, of_account in groupby(by_account, key=lambda one: one[0]):
                added = [change for _, change in of_account]
                for last, webhooks in run(_TAKE_PLACES, account=account, places=len(added)):
                    listed = map(Listed, count(last - len(added) + 1), added)
                    rows += (_columns(account, expires_at, one) for one in listed)
                    if webhooks:
                        called[account] = added
            new = {(account, name) for account, name in insert_rows(run, _ADD, rows, _ONCE)}
            for account, added in called.items():
                events = (company_changed(account, one, now) for one in added if (account, one.id) in new)
                insert_deliveries(run, account, events, now)

    def list_changes(self, account: str, after: int, limit: int, now: int) -> list[Listed]:
        rows = self._database.run(_FEED, account=account, after=after, now=now, most=limit)
        return [_listed(row) for row in rows]

    def read_announcement(self) -> Announcement | None:
        statement = f"SELECT {_ANNOUNCEMENT} FROM announcements WHERE name = :name"  # noqa: S608, only names of columns
        rows = self._database.run(statement, name=_NAME)
        if not rows:
            return None
        announced, target, began, *after, version = rows[0]
        return Announcement(announced, target, began, (after[0], after[1]), version)

    def write_announcement(self, announcement: Announcement) -> bool:
        announced, target, began, (after_cnpj, after_account), version = announcement
        values: Values = {"name": _NAME, "announced": announced, "target": target, "began": began}
        values |= {"after_cnpj": after_cnpj, "after_account": after_account, "version": version}
        return bool(self._database.run(_BEGIN if version == 1 else _CONTINUE, **values))


def feed_of(run: Run, account: str) -> tuple[int, tuple[tuple[Listed, int], ...]]:
    """Return a feed's last place, and its changes with their expiry."""
    ((place,),) = run("SELECT last_place FROM accounts WHERE id = :account", account=account)
    rows = run(_WHOLE_FEED, account=account)
    return place, tuple((_listed(columns), ends) for ends, *columns in rows)


def insert_feed(run: Run, account: str, place: int, changes: Sequence[tuple[Listed, int]]) -> None:
    """Insert the feed of a stored account."""
    run("UPDATE accounts SET last_place = :place WHERE id = :account", place=place, account=account)
    insert_rows(run, _ADD, [_columns(account, ends, listed) for listed, ends in changes])


def _columns(account: str, expires_at: int, listed: Listed) -> Sequence[Value]:
    """Return a row for ``_ADD``."""
    *columns, changes = listed.change
    return account, expires_at, listed.place, *columns, json.dumps(changes, ensure_ascii=False)


def _listed(row: Sequence[Any]) -> Listed:
    place, name, cnpj, reference, day, changes = row
    return Listed(place, Change(name, cnpj, reference, day, json.loads(changes)))
