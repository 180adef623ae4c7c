"""Watches in SQL."""

from collections.abc import Sequence

from brskills_server.adapters.maintenance import Watching
from brskills_server.adapters.sql.accounts import LOCK_ACCOUNT
from brskills_server.adapters.sql.database import Rollback, Run, insert_rows, places_of
from brskills_server.adapters.sql.feeds import SqlFeeds, feed_of, insert_feed
from brskills_server.watches.watch import Added, Watch, outcomes

_WATCH = "cnpj, reference, since"
_READ = f"SELECT {_WATCH} FROM watches WHERE account = :account"  # noqa: S608, only names of columns
_PAGE = f"{_READ} AND cnpj > :after ORDER BY cnpj LIMIT :most"
_OF_ALL = f"""
SELECT account, {_WATCH} FROM watches WHERE (cnpj, account) > (:cnpj, :account)
 ORDER BY cnpj, account LIMIT :most"""  # noqa: S608, only names of columns
_SAVE = "INSERT INTO watches (account, cnpj, reference, since) VALUES"
_REPLACE = " ON CONFLICT (account, cnpj) DO UPDATE SET reference = excluded.reference"


class SqlWatches(SqlFeeds):
    """``WatchStore``, its watches in the table of this name."""

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


def watching_of(run: Run, account: str) -> Watching:
    """Return what an account watches, and its feed."""
    watches = sorted(Watch(*row) for row in run(_READ, account=account))
    return Watching(tuple(watches), *feed_of(run, account))


def insert_watching(run: Run, account: str, watching: Watching) -> None:
    """Insert what a stored account watches, and its feed."""
    insert_watches(run, account, watching.watches)
    insert_feed(run, account, watching.last_place, watching.changes)


def insert_watches(run: Run, account: str, watches: Sequence[Watch]) -> None:
    """Insert watches, or replace their references."""
    insert_rows(run, _SAVE, [(account, *watch) for watch in watches], _REPLACE)


def _known(run: Run, account: str, numbers: Sequence[str]) -> dict[str, Watch]:
    """Return those of the numbers that an account watches."""
    found: dict[str, Watch] = {}
    for places, values in places_of([(number,) for number in numbers]):
        rows = run(f"{_READ} AND cnpj IN (VALUES {places})", account=account, **values)
        found |= {row[0]: Watch(*row) for row in rows}
    return found
