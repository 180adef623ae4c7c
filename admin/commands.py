"""What the operator can do, over the same access package as the functions.

Every command may raise ``storage.StoreUnavailable``; those of one account ``KeyError`` with its id.
"""

from __future__ import annotations

import csv
import sys
import time
from typing import TYPE_CHECKING

from access import billing_of, quota_of
from access.ledger import account_pk, history_of
from admin.listing import print_accounts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from access import Accounts, Issued
    from storage import Item

__all__ = ["export", "find", "list_accounts", "new_key", "open_account", "revoke", "set_plan"]


def list_accounts(accounts: Accounts, plan: str | None) -> None:
    """Every account, or those of a plan."""
    now = time.time()
    print_accounts((item for item in accounts.all() if plan in {None, quota_of(item, now).plan}), now)


def find(accounts: Accounts, text: str) -> None:
    """The accounts that a text leads to; ``KeyError`` where there is none."""
    found = [item for item in accounts.all() if _matches(item, text)]
    if not found:
        raise KeyError(text)
    print_accounts(found, time.time())


def open_account(accounts: Accounts, plan: str, email: str | None) -> None:
    """A new account with its key."""
    _hand_out(accounts.open(plan, email))


def new_key(accounts: Accounts, account: str, revoke_others: bool) -> None:
    """A further key of an account whose owner lost theirs."""
    if revoke_others:
        accounts.revoke_all(account)
    _hand_out(accounts.add_key(account))


def set_plan(accounts: Accounts, account: str, plan: str) -> None:
    """Another plan by hand, with a word on what Stripe will make of it."""
    before = billing_of(accounts.get(account), account)
    accounts.set_plan(account, plan)
    print(f"{account}: {before.plan} -> {plan}")
    living = ", ".join(f"{kept.id} ({kept.status})" for kept in before.subscriptions.values())
    if not living:
        return
    if plan == "enterprise":
        _remark(f"it stays enterprise whatever Stripe tells, but {living} is still charged: cancel it there")
    else:
        _remark(f"subscribed at Stripe: {living}; its next event sets the plan anew, so change it there")


def revoke(accounts: Accounts, account: str) -> None:
    """End every key of an account."""
    item = accounts.get(account)
    accounts.revoke_all(account)
    print(f"{account}: {len(item['keys']['M'])} keys ended")
    if living := ", ".join(billing_of(item, account).subscriptions):
        _remark(f"still subscribed at Stripe, and charged: {living}; cancel it there")


def export(accounts: Accounts, month: str | None) -> None:
    """Calls by account and month; the plan is the one of today. Without e-mails, which no count needs."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["account", "plan", "month", "calls"])
    for item in accounts.all():
        for name, calls in history_of(item, before="9999-99").items():
            if month in {None, name}:
                writer.writerow([_id(item), item["plan"]["S"], name, calls])


def _matches(item: Item, text: str) -> bool:
    return text in set(_ids(item)) or text.lower() in item.get("email", {"S": ""})["S"].lower()


def _ids(item: Item) -> Iterator[str | None]:
    billing = billing_of(item, _id(item))
    yield _id(item)
    yield billing.customer
    yield from billing.subscriptions


def _id(item: Item) -> str:
    return str(item["pk"]["S"]).removeprefix(account_pk(""))


def _hand_out(issued: Issued) -> None:
    print(f"account {issued.account}\nplan    {issued.plan.id}\nkey     {issued.api_key}")
    _remark("the key is shown this once: only its hash is kept")


def _remark(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)
