"""Counters of calls, free absences and uncounted work by month, of accounts and of demo addresses.

A counter is a row. One statement inserts it or adds to it, unless the limit is reached.
"""

from contextlib import suppress

from brskills_server.accounts.calendar import KEPT_MONTHS
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.sql.accounts import SqlAccounts
from brskills_server.adapters.sql.database import Conflict, Rollback, Row, Values
from brskills_server.adapters.sql.idempotency_records import count_in_record, release_from_record
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import AccountCalls, AddressCalls, CallRefused, Counted, Release

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
_RESERVE_DEMO = """
INSERT INTO demo_months (address, month, calls, absences, expires_at)
SELECT :address, :month, :calls, 0, :expires_at WHERE :limit >= :calls
ON CONFLICT (address, month)
DO UPDATE SET calls = demo_months.calls + :calls, expires_at = :expires_at
 WHERE demo_months.calls + :calls <= :limit
RETURNING calls"""
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


class SqlCallCounts(SqlAccounts):
    """``CallStore`` in the tables ``months``, ``demo_months`` and ``releases``; mostly one statement each."""

    def reserve_calls(self, wanted: AccountCalls) -> Counted:
        """Run a statement or, with a transition, a transaction; one more after first or refused calls."""
        for _ in range(_TRIES):
            rows: list[Row] = []
            with suppress(Conflict):  # the account was deleted at this moment
                rows = self._reserve(_RESERVE, wanted)
            if rows:
                if rows[0][2] == wanted.calls:
                    self._drop(wanted.account, wanted.oldest)
                return Counted(*rows[0])
            found = self.read_account(wanted.account)
            is_active = found is not None and found.is_active(wanted.key, wanted.now)
            if found is None or not is_active or not found.has_room(wanted.month, wanted.calls):
                raise CallRefused(found)
            # The account changed between the two statements.
        raise StoreUnavailable("the account changes too quickly")

    def reserve_demo_calls(self, wanted: AddressCalls) -> int | None:
        rows = self._reserve(_RESERVE_DEMO, wanted)
        return int(rows[0][0]) if rows else None

    def _reserve(self, statement: str, wanted: AccountCalls | AddressCalls) -> list[Row]:
        values = wanted._asdict()
        transition = values.pop("transition")
        if transition is None:
            return self._counters.run(statement, **values)
        rows: list[Row] = []
        with self._counters.transaction() as run:
            count_in_record(run, transition, wanted.calls)
            rows = run(statement, **values)
            if not rows:
                raise Rollback
        return rows

    def _drop(self, account: str, oldest: str) -> None:
        with suppress(StoreUnavailable):  # the call is counted, and the next month will try again
            self._counters.run(_DROP, account=account, oldest=oldest, kept=KEPT_MONTHS)

    def release(self, release: Release, transition: Transition | None = None) -> bool:
        """Run one transaction: the release's id, the record's calls if there is one, and the month's."""
        caller = release.caller
        statement = _RELEASE_DEMO if caller.is_demo else _RELEASE_ACCOUNT
        values: Values = {
            "holder": caller.address if caller.is_demo else caller.account,
            "month": release.month,
            "calls": release.calls,
            "absences": int(release.allowance is not None),
            "allowance": _ANY_NUMBER if release.allowance is None else release.allowance,
        }
        is_done = False
        with self._counters.transaction() as run:
            if not run(_ONCE, id=release.id, expires_at=release.expires_at):
                return True
            if transition:
                release_from_record(run, transition, release.calls)
            is_done = bool(run(statement, **values))
            if not is_done:
                raise Rollback
        return is_done

    def has_release(self, release: str) -> bool:
        return bool(self._database.run("SELECT id FROM releases WHERE id = :release", release=release))

    def count_uncounted(self, account: str, key: str, month: str, now: int, units: int) -> tuple[str, int]:
        values: Values = {"account": account, "key": key, "month": month, "now": now, "units": units}
        rows: list[Row] = []
        with suppress(Conflict):  # the account was deleted at this moment
            rows = self._counters.run(_COUNT_UNCOUNTED, **values)
        if not rows:
            raise CallRefused(None)
        ((plan, of_month),) = rows
        return plan, of_month

    def count_demo_uncounted(self, address: str, month: str, expires_at: int, units: int) -> int:
        values: Values = {"address": address, "month": month, "expires_at": expires_at, "units": units}
        ((of_month,),) = self._counters.run(_COUNT_DEMO_UNCOUNTED, **values)
        return int(of_month)

    def demo_calls(self, address: str) -> dict[str, int]:
        statement = "SELECT month, calls FROM demo_months WHERE address = :address"
        return dict(self._database.run(statement, address=address))
