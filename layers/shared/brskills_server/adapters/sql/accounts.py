"""Accounts and their keys in SQL. The column ``own_lane`` holds ``Account.dedicated_gateway_key``."""

import json
from collections.abc import Collection, Iterator
from itertools import groupby

from brskills_server.accounts.account import Account
from brskills_server.adapters.maintenance import StoredAccount
from brskills_server.adapters.sql.database import Conflict, Rollback, Row, Run, SqlStore, Value, insert
from brskills_server.adapters.sql.subscriptions import billing_columns, read_billing

_COLUMNS = (
    "a.id, a.plan, a.monthly_limit, a.created_at, a.email, a.own_lane, a.skills,"
    " a.customer, a.subscriptions, a.billing_version"
)
# One statement, so that plan, keys and counts are of one moment.
_READ = f"""
SELECT {_COLUMNS}, 'key', k.digest, k.expires_at, 0, 0
  FROM accounts a LEFT JOIN keys k ON k.account = a.id WHERE {{which}}
UNION ALL
SELECT {_COLUMNS}, 'month', m.month, m.calls, m.absences, m.uncounted
  FROM accounts a JOIN months m ON m.account = a.id WHERE {{which}}
 ORDER BY 1"""  # noqa: S608, only names of columns
_ONE = _READ.format(which="a.id = :account")
_PAGE = _READ.format(which="a.id IN (SELECT id FROM accounts WHERE id > :after ORDER BY id LIMIT 500)")
_ADD_KEY = """
INSERT INTO keys (digest, account, expires_at) SELECT :key, id, 0 FROM accounts WHERE id = :account
RETURNING digest"""
_IS_ACTIVE = "account = :account AND digest = :key AND (expires_at = 0 OR expires_at > :now)"
_EXPIRE_KEY = f"UPDATE keys SET expires_at = :ends WHERE {_IS_ACTIVE} RETURNING digest"  # noqa: S608, our own words
_REVOKE_KEY = f"DELETE FROM keys WHERE {_IS_ACTIVE} RETURNING digest"  # noqa: S608, our own words
_FORGET_KEY = "DELETE FROM keys WHERE account = :account AND digest = :key RETURNING digest"
LOCK_ACCOUNT = "UPDATE accounts SET plan = plan WHERE id = :account RETURNING id"
"""Locks the account and its keys for other writers until the transaction ends."""


class SqlAccounts(SqlStore):
    """``AccountStore`` in the tables ``accounts``, ``keys`` and ``months``; mostly one statement each."""

    def read_account(self, account: str) -> Account | None:
        return next(_accounts(self._database.run(_ONE, account=account)), None)

    def account_of_key(self, key: str) -> str | None:
        found = self._database.run("SELECT account FROM keys WHERE digest = :key", key=key)
        return str(found[0][0]) if found else None

    def open_account(self, account: Account) -> bool:
        try:
            with self._database.transaction() as run:
                insert_account(run, account)
        except Conflict:
            return False
        return True

    def add_key(self, account: str, key: str) -> bool:
        try:
            return bool(self._database.run(_ADD_KEY, account=account, key=key))
        except Conflict:  # the account was deleted at this moment
            return False

    def rotate_key(
        self, account: str, old: str, new: str, *, ends: int, expired: Collection[str], most: int, now: int
    ) -> bool:
        """Run one transaction, which locks the account."""
        rotated = False
        with self._database.transaction() as run:
            if not (
                run(LOCK_ACCOUNT, account=account)
                and run(_EXPIRE_KEY, account=account, key=old, now=now, ends=ends)
                and all(run(_FORGET_KEY, account=account, key=key) for key in expired)
            ):
                raise Rollback
            insert(run, "keys", digest=new, account=account, expires_at=0)
            ((keys,),) = run("SELECT COUNT(*) FROM keys WHERE account = :account", account=account)
            if keys > most:
                raise Rollback
            rotated = True
        return rotated  # noqa: RET504, a rollback ends the block above

    def revoke_key(self, account: str, key: str, now: int) -> bool:
        return bool(self._database.run(_REVOKE_KEY, account=account, key=key, now=now))

    def revoke_all_keys(self, account: str, now: int) -> Account | None:  # noqa: ARG002, nothing is left to expire
        """Run one transaction, which locks the account."""
        return self._delete(account, "DELETE FROM keys WHERE account = :account")

    def delete_account(self, account: str) -> Account | None:
        """Run one transaction, which locks the account; keys, months and grants are deleted with it."""
        return self._delete(account, "DELETE FROM accounts WHERE id = :account")

    def set_plan(self, account: str, plan: str, monthly_limit: int | None) -> bool:
        return self._set(account, plan=plan, monthly_limit=monthly_limit)

    def set_limit(self, account: str, monthly_limit: int | None) -> bool:
        return self._set(account, monthly_limit=monthly_limit)

    def set_skills(self, account: str, skills: Collection[str]) -> bool:
        return self._set(account, skills=_skills(skills))

    def set_dedicated_gateway_key(self, account: str, plan: str) -> bool:
        return self._set(account, own_lane=plan)

    def list_accounts(self) -> Iterator[Account]:
        """Run one statement for 500 accounts; each account is of one moment, the list is not."""
        return (stored.account for page in pages_of_accounts(self._database.run) for stored in page)

    def list_demo_calls(self) -> Iterator[dict[str, int]]:
        rows = self._database.run("SELECT address, month, calls FROM demo_months ORDER BY address")
        for _, months in groupby(rows, key=lambda row: row[0]):
            yield {month: calls for _, month, calls in months}

    def _set(self, account: str, **columns: Value) -> bool:
        assigned = ", ".join(f"{name} = :{name}" for name in columns)
        statement = f"UPDATE accounts SET {assigned} WHERE id = :account RETURNING id"  # noqa: S608, our own words
        return bool(self._database.run(statement, account=account, **columns))

    def _delete(self, account: str, statement: str) -> Account | None:
        before = None
        with self._database.transaction() as run:
            run(LOCK_ACCOUNT, account=account)
            before = next(_accounts(run(_ONE, account=account)), None)
            run(statement, account=account)
        return before


def pages_of_accounts(run: Run) -> Iterator[list[StoredAccount]]:
    """Return every account without its grants, by id, 500 at a time."""
    after = ""
    while rows := run(_PAGE, after=after):
        yield list(_stored_accounts(rows))
        after = rows[-1][0]


def insert_account(run: Run, account: Account) -> None:
    """Insert an account with its keys. Raise ``Conflict`` if its id or a key exists."""
    insert(
        run,
        "accounts",
        id=account.id,
        plan=account.plan,
        monthly_limit=account.monthly_limit,
        created_at=account.created_at,
        email=account.email,
        own_lane=account.dedicated_gateway_key,
        skills=_skills(account.skills),
        **billing_columns(account.billing),
    )
    for key, expiry in account.keys.items():
        insert(run, "keys", digest=key, account=account.id, expires_at=expiry)


def _accounts(rows: list[Row]) -> Iterator[Account]:
    return (stored.account for stored in _stored_accounts(rows))


def _stored_accounts(rows: list[Row]) -> Iterator[StoredAccount]:
    """Return the accounts of rows of ``_READ``."""
    for fixed, parts in groupby(rows, key=lambda row: row[:10]):
        keys: dict[str, int] = {}
        calls: dict[str, int] = {}
        absences: dict[str, int] = {}
        uncounted: dict[str, int] = {}
        for *_, kind, name, number, free, units in parts:
            if name is not None:
                (keys if kind == "key" else calls)[name] = number
            if free:
                absences[name] = free
            if units:
                uncounted[name] = units
        yield StoredAccount(_account(fixed, keys, calls), absences, uncounted)


def _account(columns: Row, keys: dict[str, int], calls: dict[str, int]) -> Account:
    account, plan, limit, created_at, email, own_lane, skills, *billing = columns
    return Account(
        account,
        plan,
        limit,
        keys,
        calls,
        created_at,
        email,
        read_billing(account, *billing),
        own_lane,
        frozenset(json.loads(skills)),
    )


def _skills(names: Collection[str]) -> str:
    return json.dumps(sorted(set(names)))
