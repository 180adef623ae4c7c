"""Watches and feeds in SQL. A feed's last place is a column of its account, whose lock orders the places."""

import json
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import Any

from brskills_server.adapters.maintenance import Watching
from brskills_server.adapters.sql.accounts import LOCK_ACCOUNT
from brskills_server.adapters.sql.database import Rollback, Run, SqlStore, Value, Values
from brskills_server.watches.watch import Added, Announcement, Change, Listed, Watch, outcomes

_WATCH = "cnpj, reference, since"
_READ = f"SELECT {_WATCH} FROM watches WHERE account = :account"  # noqa: S608, only names of columns
_PAGE = f"{_READ} AND cnpj > :after ORDER BY cnpj LIMIT :most"
_OF_ALL = f"""
SELECT account, {_WATCH} FROM watches WHERE (cnpj, account) > (:cnpj, :account)
 ORDER BY cnpj, account LIMIT :most"""  # noqa: S608, only names of columns
_SAVE = "INSERT INTO watches (account, cnpj, reference, since) VALUES "
_REPLACE = " ON CONFLICT (account, cnpj) DO UPDATE SET reference = excluded.reference"

_CHANGE = "place, id, cnpj, reference, day, changes"
_FEED = f"""
SELECT {_CHANGE} FROM changes WHERE account = :account AND place > :after AND expires_at > :now
 ORDER BY place LIMIT :most"""  # noqa: S608, only names of columns
_WHOLE_FEED = f"SELECT expires_at, {_CHANGE} FROM changes WHERE account = :account ORDER BY place"  # noqa: S608, the same
_TAKE_PLACES = """
UPDATE accounts SET last_place = last_place + :places WHERE id = :account RETURNING last_place"""
_ADD = f"INSERT INTO changes (account, expires_at, {_CHANGE}) VALUES "  # noqa: S608, only names of columns
_ONCE = " ON CONFLICT (account, id) DO NOTHING"

_ANNOUNCEMENT = "announced, target, began, after_cnpj, after_account, version"
_BEGIN = f"""
INSERT INTO announcements (name, {_ANNOUNCEMENT})
VALUES (:name, :announced, :target, :began, :after_cnpj, :after_account, :version)
ON CONFLICT (name) DO NOTHING RETURNING name"""  # noqa: S608, only names of columns
_GO_ON = """
UPDATE announcements
   SET announced = :announced, target = :target, began = :began, after_cnpj = :after_cnpj,
       after_account = :after_account, version = :version
 WHERE name = :name AND version = :version - 1 RETURNING name"""
_NAME = "register"

_ROWS = 200
"""Of a statement, which takes 32,766 values in SQLite."""


class SqlWatches(SqlStore):
    """``WatchStore`` in the tables ``watches``, ``changes`` and ``announcements``."""

    def add_watches(self, account: str, wanted: Sequence[Watch], limit: int | None) -> list[Added] | None:
        """Run one transaction, which locks the account."""
        added: list[Added] | None = None
        with self._database.transaction() as run:
            if not run(LOCK_ACCOUNT, account=account):
                raise Rollback
            ((taken,),) = run("SELECT COUNT(*) FROM watches WHERE account = :account", account=account)
            known = _known(run, account, [watch.cnpj for watch in wanted])
            added = outcomes(wanted, known, None if limit is None else limit - taken)
            stored = (outcome.watch for outcome in added)
            insert_watches(run, account, [one for one in stored if one and one != known.get(one.cnpj)])
        return added

    def read_watch(self, account: str, cnpj: str) -> Watch | None:
        rows = self._database.run(f"{_READ} AND cnpj = :cnpj", account=account, cnpj=cnpj)
        return Watch(*rows[0]) if rows else None

    def list_watches(self, account: str, after: str, limit: int) -> list[Watch]:
        return [Watch(*row) for row in self._database.run(_PAGE, account=account, after=after, most=limit)]

    def end_watch(self, account: str, cnpj: str) -> None:
        self._database.run(
            "DELETE FROM watches WHERE account = :account AND cnpj = :cnpj", account=account, cnpj=cnpj
        )

    def watches_of_all(self, after: tuple[str, str], limit: int) -> list[tuple[str, Watch]]:
        cnpj, account = after
        rows = self._database.run(_OF_ALL, cnpj=cnpj, account=account, most=limit)
        return [(owner, Watch(*columns)) for owner, *columns in rows]

    def add_changes(self, changes: Sequence[tuple[str, Change]], now: int, expires_at: int) -> None:  # noqa: ARG002, expired ones are tidied
        """Run one transaction, which locks the accounts in one order, so that no two wait for each other."""
        by_account = sorted(changes, key=lambda one: one[0])
        with self._database.transaction() as run:
            rows: list[Sequence[Value]] = []
            for account, of_account in groupby(by_account, key=lambda one: one[0]):
                added = [change for _, change in of_account]
                taken = run(_TAKE_PLACES, account=account, places=len(added))
                places = count(taken[0][0] - len(added) + 1) if taken else ()
                listed = map(Listed, places, added)
                rows += (_columns(account, expires_at, one) for one in listed)
            _insert(run, _ADD, rows, _ONCE)

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
        return bool(self._database.run(_BEGIN if version == 1 else _GO_ON, **values))


def watching_of(run: Run, account: str) -> Watching:
    """Return what an account watches, and its feed."""
    ((place,),) = run("SELECT last_place FROM accounts WHERE id = :account", account=account)
    return Watching(
        tuple(sorted(Watch(*row) for row in run(_READ, account=account))),
        place,
        tuple((_listed(columns), ends) for ends, *columns in run(_WHOLE_FEED, account=account)),
    )


def insert_watching(run: Run, account: str, watching: Watching) -> None:
    """Insert what a stored account watches, and its feed."""
    run(
        "UPDATE accounts SET last_place = :place WHERE id = :account",
        place=watching.last_place,
        account=account,
    )
    insert_watches(run, account, watching.watches)
    _insert(run, _ADD, [_columns(account, ends, listed) for listed, ends in watching.changes], "")


def insert_watches(run: Run, account: str, watches: Sequence[Watch]) -> None:
    """Insert watches, or replace their references."""
    _insert(run, _SAVE, [(account, *watch) for watch in watches], _REPLACE)


def _known(run: Run, account: str, numbers: Sequence[str]) -> dict[str, Watch]:
    """Return those of the numbers that an account watches."""
    found: dict[str, Watch] = {}
    for batch in _batches([(number,) for number in numbers]):
        places, values = _places(batch)
        rows = run(f"{_READ} AND cnpj IN (VALUES {places})", account=account, **values)
        found |= {row[0]: Watch(*row) for row in rows}
    return found


def _insert(run: Run, statement: str, rows: Sequence[Sequence[Value]], ending: str) -> None:
    for batch in _batches(rows):
        places, values = _places(batch)
        run(f"{statement}{places}{ending}", **values)


def _batches(rows: Sequence[Sequence[Value]]) -> Iterator[Sequence[Sequence[Value]]]:
    return (rows[at : at + _ROWS] for at in range(0, len(rows), _ROWS))


def _places(rows: Sequence[Sequence[Value]]) -> tuple[str, Values]:
    """Return the places of rows in a statement, and their values."""
    values = {f"v{row}_{at}": value for row, columns in enumerate(rows) for at, value in enumerate(columns)}
    names = ((f":v{row}_{at}" for at in range(len(columns))) for row, columns in enumerate(rows))
    return ", ".join(f"({', '.join(row)})" for row in names), values


def _columns(account: str, expires_at: int, listed: Listed) -> Sequence[Value]:
    """Return a row for ``_ADD``."""
    *columns, changes = listed.change
    return account, expires_at, listed.place, *columns, json.dumps(changes, ensure_ascii=False)


def _listed(row: Sequence[Any]) -> Listed:
    place, name, cnpj, reference, day, changes = row
    return Listed(place, Change(name, cnpj, reference, day, json.loads(changes)))
