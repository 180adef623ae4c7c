"""Accounts and their keys; what each method does is said at its port (``brskills_server.accounts.ports.AccountStore``)."""

import json
from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.accounts.billing import Billing, Subscription
from brskills_server.adapters.maintenance import KeptAccount
from brskills_server.adapters.sql.database import Conflict, Database, Rollback, Row, Run, Value

__all__ = ["HOLD", "SqlAccounts", "billing_columns", "insert_account", "pages_of_accounts"]

_COLUMNS = (
    "a.id, a.plan, a.monthly_limit, a.created_at, a.email, a.own_lane, a.skills,"
    " a.customer, a.subscriptions, a.billing_version"
)
# One statement, so that plan, keys and counts are of one moment.
_READ = f"""
SELECT {_COLUMNS}, 'key', k.digest, k.expires_at, 0
  FROM accounts a LEFT JOIN keys k ON k.account = a.id WHERE {{which}}
UNION ALL
SELECT {_COLUMNS}, 'month', m.month, m.calls, m.absences
  FROM accounts a JOIN months m ON m.account = a.id WHERE {{which}}
 ORDER BY 1"""  # noqa: S608, only names of columns
_ONE = _READ.format(which="a.id = :account")
_PAGE = _READ.format(which="a.id IN (SELECT id FROM accounts WHERE id > :after ORDER BY id LIMIT 500)")
_INSERT = """
INSERT INTO accounts (id, plan, monthly_limit, created_at, email, own_lane, skills,
                      customer, subscriptions, billing_version)
VALUES (:id, :plan, :monthly_limit, :created_at, :email, :own_lane, :skills,
        :customer, :subscriptions, :billing_version)"""
_ADD_KEY = """
INSERT INTO keys (digest, account, expires_at) SELECT :key, id, 0 FROM accounts WHERE id = :account
RETURNING digest"""
_IS_ACTIVE = "account = :account AND digest = :key AND (expires_at = 0 OR expires_at > :now)"
HOLD = "UPDATE accounts SET plan = plan WHERE id = :account RETURNING id"
"""Keeps other writers from the account and its keys until the transaction ends."""


class SqlAccounts:
    """``brskills_server.accounts.ports.AccountStore`` in the tables ``accounts``, ``keys`` and ``months``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read_account(self, account: str) -> Account | None:
        """One statement."""
        return next(_accounts(self._database.run(_ONE, account=account)), None)

    def account_of_key(self, key: str) -> str | None:
        """One statement; a key that was taken from its account is forgotten at once."""
        found = self._database.run("SELECT account FROM keys WHERE digest = :key", key=key)
        return str(found[0][0]) if found else None

    def open_account(self, account: Account) -> bool:
        """One transaction."""
        try:
            with self._database.transaction() as run:
                insert_account(run, account)
        except Conflict:
            return False
        return True

    def add_key(self, account: str, key: str) -> bool:
        """One statement."""
        try:
            return bool(self._database.run(_ADD_KEY, account=account, key=key))
        except Conflict:  # the account was deleted at this moment
            return False

    def rotate_key(
        self, account: str, old: str, new: str, *, ends: int, expired: Collection[str], most: int, now: int
    ) -> bool:
        """One transaction, which holds the account."""
        rotated = False
        with self._database.transaction() as run:
            if not run(HOLD, account=account):
                raise Rollback
            end = f"UPDATE keys SET expires_at = :ends WHERE {_IS_ACTIVE} RETURNING digest"  # noqa: S608, our own words
            if not run(end, account=account, key=old, now=now, ends=ends):
                raise Rollback
            if not all(_forget_key(run, account, key) for key in expired):
                raise Rollback
            _insert_key(run, account, new, 0)
            ((keys,),) = run("SELECT COUNT(*) FROM keys WHERE account = :account", account=account)
            if keys > most:
                raise Rollback
            rotated = True
        return rotated  # noqa: RET504, a rollback ends the block above

    def revoke_key(self, account: str, key: str, now: int) -> bool:
        """One statement."""
        statement = f"DELETE FROM keys WHERE {_IS_ACTIVE} RETURNING digest"  # noqa: S608, our own words
        return bool(self._database.run(statement, account=account, key=key, now=now))

    def revoke_all_keys(self, account: str, now: int) -> Account | None:  # noqa: ARG002, nothing is left to expire
        """One transaction, which holds the account."""
        return self._take(account, "DELETE FROM keys WHERE account = :account")

    def set_plan(self, account: str, plan: str, monthly_limit: int | None) -> bool:
        """One statement."""
        return self._set(account, plan=plan, monthly_limit=monthly_limit)

    def set_limit(self, account: str, monthly_limit: int | None) -> bool:
        """One statement."""
        return self._set(account, monthly_limit=monthly_limit)

    def set_skills(self, account: str, skills: Collection[str]) -> bool:
        """One statement."""
        return self._set(account, skills=_skills(skills))

    def set_dedicated_gateway_key(self, account: str, plan: str) -> bool:
        """One statement."""
        return self._set(account, own_lane=plan)

    def delete_account(self, account: str) -> Account | None:
        """One transaction, which holds the account; its keys, months and grants go with it."""
        return self._take(account, "DELETE FROM accounts WHERE id = :account")

    def list_accounts(self) -> Iterator[Account]:
        """One statement for 500 accounts; each account is of one moment, the list is not."""
        return (kept.account for page in pages_of_accounts(self._database.run) for kept in page)

    def list_demo_calls(self) -> Iterator[dict[str, int]]:
        """One statement."""
        rows = self._database.run("SELECT address, month, calls FROM demo_months ORDER BY address")
        for _, months in groupby(rows, key=lambda row: row[0]):
            yield {month: calls for _, month, calls in months}

    def _set(self, account: str, **columns: Value) -> bool:
        assigned = ", ".join(f"{name} = :{name}" for name in columns)
        statement = f"UPDATE accounts SET {assigned} WHERE id = :account RETURNING id"  # noqa: S608, our own words
        return bool(self._database.run(statement, account=account, **columns))

    def _take(self, account: str, statement: str) -> Account | None:
        before = None
        with self._database.transaction() as run:
            run(HOLD, account=account)
            before = next(_accounts(run(_ONE, account=account)), None)
            run(statement, account=account)
        return before


def pages_of_accounts(run: Run) -> Iterator[list[KeptAccount]]:
    """Every account with its free absences, by id, 500 at a time; see :meth:`SqlAccounts.list_accounts`."""
    after = ""
    while rows := run(_PAGE, after=after):
        yield list(_kept(rows))
        after = rows[-1][0]


def insert_account(run: Run, account: Account) -> None:
    """An account with its keys; raises ``Conflict`` where its id or a key is taken."""
    run(_INSERT, **_columns(account))
    for key, expiry in account.keys.items():
        _insert_key(run, account.id, key, expiry)


def _insert_key(run: Run, account: str, key: str, expiry: int) -> None:
    statement = "INSERT INTO keys (digest, account, expires_at) VALUES (:key, :account, :expiry)"
    run(statement, key=key, account=account, expiry=expiry)


def _forget_key(run: Run, account: str, key: str) -> bool:
    statement = "DELETE FROM keys WHERE account = :account AND digest = :key RETURNING digest"
    return bool(run(statement, account=account, key=key))


def _accounts(rows: list[Row]) -> Iterator[Account]:
    return (kept.account for kept in _kept(rows))


def _kept(rows: list[Row]) -> Iterator[KeptAccount]:
    """The accounts of what ``_READ`` gives."""
    for fixed, parts in groupby(rows, key=lambda row: row[:10]):
        keys: dict[str, int] = {}
        calls: dict[str, int] = {}
        absences: dict[str, int] = {}
        for *_, kind, name, number, free in parts:
            if name is not None:
                (keys if kind == "key" else calls)[name] = number
            if free:
                absences[name] = free
        yield KeptAccount(_account(fixed, keys, calls), absences)


def _account(columns: Row, keys: dict[str, int], calls: dict[str, int]) -> Account:
    account, plan, limit, created_at, email, own_lane, skills, customer, subscriptions, version = columns
    kept = {name: Subscription(name, account, **fields) for name, fields in json.loads(subscriptions).items()}
    billing = Billing(kept, customer, version)
    granted = frozenset(json.loads(skills))
    return Account(account, plan, limit, keys, calls, created_at, email, billing, own_lane, granted)


def _columns(account: Account) -> dict[str, Value]:
    return {
        "id": account.id,
        "plan": account.plan,
        "monthly_limit": account.monthly_limit,
        "created_at": account.created_at,
        "email": account.email,
        "own_lane": account.dedicated_gateway_key,
        "skills": _skills(account.skills),
        **billing_columns(account.billing),
    }


def _skills(names: Collection[str]) -> str:
    return json.dumps(sorted(set(names)))


def billing_columns(billing: Billing) -> dict[str, Value]:
    """The columns of an account that tell of its payments."""
    subscriptions = {name: _subscription(kept) for name, kept in billing.subscriptions.items()}
    return {
        "customer": billing.customer,
        "subscriptions": json.dumps(subscriptions),
        "billing_version": billing.version,
    }


def _subscription(kept: Subscription) -> dict[str, Any]:
    return {
        "customer": kept.customer,
        "status": kept.status,
        "plan": kept.plan,
        "paid_back": kept.paid_back,
    }
