"""The ports of ``access`` in one database: accounts (``accounts``), grants (``grants``), the history
(``history``), and here counters, salts and events.

A counter is a row, and counting is one statement that inserts it or adds to it, unless the limit is reached.
What each method does is said at its port.
"""

from contextlib import suppress

from brskills_server.accounts.account import Account
from brskills_server.accounts.calendar import KEPT_MONTHS
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.sql.accounts import SqlAccounts, billing_columns
from brskills_server.adapters.sql.database import Conflict, Database, Rollback, Row, Values
from brskills_server.adapters.sql.grants import SqlGrants
from brskills_server.adapters.sql.history import SqlHistory
from brskills_server.adapters.sql.idempotency import SqlClaims, count_in_claim, take_from_claim
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import CallRefused, Counted
from brskills_server.metering.reservation import Release

__all__ = ["SqlAccess"]

_TRIES = 5

_RESERVE = """
INSERT INTO months (account, month, calls, absences)
SELECT a.id, :month, :calls, 0
  FROM accounts a JOIN keys k ON k.account = a.id
 WHERE a.id = :account AND k.digest = :key AND (k.expires_at = 0 OR k.expires_at > :now)
   AND (a.monthly_limit IS NULL OR a.monthly_limit >= :calls)
ON CONFLICT (account, month) DO UPDATE SET calls = months.calls + :calls
 WHERE COALESCE(months.calls + :calls <= (SELECT monthly_limit FROM accounts WHERE id = :account), TRUE)
RETURNING (SELECT plan FROM accounts WHERE id = :account),
          (SELECT monthly_limit FROM accounts WHERE id = :account), calls"""
_RELEASE = """
UPDATE {table} SET calls = calls - :calls, absences = absences + :absences
 WHERE {holder} = :holder AND month = :month AND calls >= :calls AND absences + :absences <= :allowance
RETURNING calls"""
_RELEASE_ACCOUNT = _RELEASE.format(table="months", holder="account")
_RELEASE_DEMO = _RELEASE.format(table="demo_months", holder="address")
_ANY_NUMBER = 2**62
_ONCE = """
INSERT INTO releases (id, expires_at) VALUES (:id, :expires_at) ON CONFLICT (id) DO NOTHING RETURNING id"""
_COUNT_UNCOUNTED = """
INSERT INTO months (account, month, calls, absences, uncounted)
SELECT a.id, :month, 0, 0, :units
  FROM accounts a JOIN keys k ON k.account = a.id
 WHERE a.id = :account AND k.digest = :key AND (k.expires_at = 0 OR k.expires_at > :now)
ON CONFLICT (account, month) DO UPDATE SET uncounted = months.uncounted + :units
RETURNING (SELECT plan FROM accounts WHERE id = :account), uncounted"""
_COUNT_DEMO_UNCOUNTED = """
INSERT INTO demo_months (address, month, calls, absences, uncounted, expires_at)
VALUES (:address, :month, 0, 0, :units, :expires_at)
ON CONFLICT (address, month)
DO UPDATE SET uncounted = demo_months.uncounted + :units, expires_at = :expires_at
RETURNING uncounted"""
_DROP = """
DELETE FROM months WHERE account = :account AND month <= :oldest AND month NOT IN
  (SELECT month FROM months WHERE account = :account ORDER BY month DESC LIMIT :kept)"""

_RESERVE_DEMO = """
INSERT INTO demo_months (address, month, calls, absences, expires_at)
SELECT :address, :month, :calls, 0, :expires_at WHERE :limit >= :calls
ON CONFLICT (address, month)
DO UPDATE SET calls = demo_months.calls + :calls, expires_at = :expires_at
 WHERE demo_months.calls + :calls <= :limit
RETURNING calls"""
_COUNT_SIGNUP = """
INSERT INTO signups (pseudonym, day, issued, expires_at)
SELECT :pseudonym, :day, 1, :expires_at WHERE :limit > 0
ON CONFLICT (pseudonym, day) DO UPDATE SET issued = signups.issued + 1, expires_at = :expires_at
 WHERE signups.issued < :limit
RETURNING issued"""
_SALT = """
INSERT INTO salts (month, salt, expires_at) VALUES (:month, :salt, :expires_at)
ON CONFLICT (month) DO UPDATE SET salt = salts.salt RETURNING salt"""

_SET_PLAN = "UPDATE accounts SET plan = :plan, monthly_limit = :monthly_limit WHERE id = :account"
_SET_BILLING = """
UPDATE accounts
   SET customer = :customer, subscriptions = :subscriptions, billing_version = :billing_version
 WHERE id = :account AND plan = :plan_before AND billing_version = :version_before
RETURNING id"""


class SqlAccess(SqlAccounts, SqlClaims, SqlGrants, SqlHistory, AccessStore):
    """See ``schema`` for the tables. ``counters``: the same database, as calls and sign-ups go to it."""

    def __init__(self, database: Database, counters: Database) -> None:
        SqlAccounts.__init__(self, database)
        SqlClaims.__init__(self, counters)
        SqlGrants.__init__(self, database, counters)

    def ping(self) -> None:
        """One transaction that writes: to a database that only reads, or a full disk, no call is counted.

        What a row holds already SQLite does not write again.
        """
        with self._database.transaction() as run:
            for step in (1, -1):
                run("UPDATE schema_version SET version = version + :step", step=step)

    def reserve_calls(
        self,
        account: str,
        key: str,
        month: str,
        oldest: str,
        now: int,
        calls: int = 1,
        transition: Transition | None = None,
    ) -> Counted:
        """One statement; another for the first call of a month, and one to say why none was counted.

        With a transition, here and below: a transaction of two or three.
        """
        for _ in range(_TRIES):
            counted = self._reserve(account, key, month, now, calls, transition)
            if counted is not None:
                if counted.calls == calls:
                    self._drop(account, oldest)
                return counted
            found = self.read_account(account)
            if found is None or not found.is_active(key, now) or not found.has_room(month, calls):
                raise CallRefused(found)
            # What stood in its way has changed between the two statements.
        raise StoreUnavailable("the account changes too quickly")

    def _reserve(
        self, account: str, key: str, month: str, now: int, calls: int, transition: Transition | None
    ) -> Counted | None:
        values: Values = {"account": account, "key": key, "month": month, "now": now, "calls": calls}
        try:
            rows = self._counted(_RESERVE, values, transition, calls)
        except Conflict:  # the account was deleted at this moment
            return None
        return Counted(*rows[0]) if rows else None

    def _drop(self, account: str, oldest: str) -> None:
        with suppress(StoreUnavailable):  # the call is counted, and the next month will try again
            self._counters.run(_DROP, account=account, oldest=oldest, kept=KEPT_MONTHS)

    def release(self, release: Release, transition: Transition | None = None) -> bool:
        """One transaction: the release's id, the claim's calls if there is a transition, and the month's."""
        caller, absences = release.caller, int(release.allowance is not None)
        statement = _RELEASE_DEMO if caller.is_demo else _RELEASE_ACCOUNT
        values: Values = {
            "holder": caller.address if caller.is_demo else caller.account,
            "month": release.month,
            "calls": release.calls,
            "absences": absences,
            "allowance": _ANY_NUMBER if release.allowance is None else release.allowance,
        }
        is_done = False
        with self._counters.transaction() as run:
            if not run(_ONCE, id=release.id, expires_at=release.expires_at):
                return True
            if transition:
                take_from_claim(run, transition, release.calls)
            is_done = bool(run(statement, **values))
            if not is_done:
                raise Rollback
        return is_done

    def has_release(self, release: str) -> bool:
        """One statement."""
        return bool(self._database.run("SELECT id FROM releases WHERE id = :release", release=release))

    def count_uncounted(self, account: str, key: str, month: str, now: int, units: int) -> tuple[str, int]:
        """One statement."""
        values: Values = {"account": account, "key": key, "month": month, "now": now, "units": units}
        rows: list[Row] = []
        with suppress(Conflict):  # the account was deleted at this moment
            rows = self._counters.run(_COUNT_UNCOUNTED, **values)
        if not rows:
            raise CallRefused(None)
        ((plan, of_month),) = rows
        return plan, of_month

    def count_demo_uncounted(self, address: str, month: str, expires_at: int, units: int) -> int:
        """One statement."""
        values: Values = {"address": address, "month": month, "expires_at": expires_at, "units": units}
        ((of_month,),) = self._counters.run(_COUNT_DEMO_UNCOUNTED, **values)
        return int(of_month)

    def reserve_demo_calls(
        self,
        address: str,
        month: str,
        limit: int,
        expires_at: int,
        calls: int = 1,
        transition: Transition | None = None,
    ) -> int | None:
        """One statement."""
        values: Values = {
            "address": address,
            "month": month,
            "limit": limit,
            "expires_at": expires_at,
            "calls": calls,
        }
        rows = self._counted(_RESERVE_DEMO, values, transition, calls)
        return int(rows[0][0]) if rows else None

    def _counted(
        self, statement: str, values: Values, transition: Transition | None, calls: int
    ) -> list[Row]:
        if transition is None:
            return self._counters.run(statement, **values)
        rows: list[Row] = []
        with self._counters.transaction() as run:
            count_in_claim(run, transition, calls)
            rows = run(statement, **values)
            if not rows:
                raise Rollback
        return rows

    def demo_calls(self, address: str) -> dict[str, int]:
        """One statement."""
        statement = "SELECT month, calls FROM demo_months WHERE address = :address"
        return dict(self._database.run(statement, address=address))

    def read_window(self, pseudonym: str) -> dict[str, int]:
        """One statement."""
        statement = "SELECT day, issued FROM signups WHERE pseudonym = :pseudonym"
        return dict(self._database.run(statement, pseudonym=pseudonym))

    def count_in_window(self, pseudonym: str, day: str, limit: int, expires_at: int) -> bool:
        """One statement."""
        values: Values = {"pseudonym": pseudonym, "day": day, "limit": limit, "expires_at": expires_at}
        return bool(self._counters.run(_COUNT_SIGNUP, **values))

    def month_salt(self, month: str, proposed: bytes, expires_at: int) -> bytes:
        """One statement."""
        ((salt,),) = self._database.run(_SALT, month=month, salt=proposed.hex(), expires_at=expires_at)
        return bytes.fromhex(salt)

    def has_event(self, event: str) -> bool:
        """One statement."""
        return bool(self._database.run("SELECT id FROM events WHERE id = :event", event=event))

    def record_event(self, event: str, expires_at: int, before: Account, after: Account) -> bool:
        """One transaction."""
        billing = billing_columns(after.billing)
        expected: Values = {
            "plan_before": before.plan,
            "version_before": before.billing.version,
        }
        recorded = False
        with suppress(Conflict), self._database.transaction() as run:
            if not run(_SET_BILLING, account=before.id, **billing, **expected):
                raise Rollback
            if after.plan != before.plan:
                run(_SET_PLAN, account=before.id, plan=after.plan, monthly_limit=after.monthly_limit)
            insert = "INSERT INTO events (id, expires_at) VALUES (:event, :expires_at)"
            run(insert, event=event, expires_at=expires_at)
            recorded = True
        return recorded
