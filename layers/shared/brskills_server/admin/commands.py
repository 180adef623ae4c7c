"""What the operator can do, over the same access package as the functions.

Every command may raise ``brskills_server.accounts.errors.StoreUnavailable``; those of one account ``KeyError`` with its id.
"""

import csv
import sys
import time
from collections import Counter
from getpass import getpass

from brskills_server.accounts.account import Account
from brskills_server.accounts.accounts import Accounts, Issued
from brskills_server.accounts.email_address import is_plain_address
from brskills_server.accounts.plans import PLANS
from brskills_server.admin.listing import print_accounts, print_table, shell_quoted
from brskills_server.admin.receipt import receipt
from brskills_server.admin.typed import read_typed
from brskills_server.registry.instant import iso_instant

__all__ = [
    "Refused",
    "delete",
    "demo",
    "export",
    "find",
    "find_key",
    "list_accounts",
    "new_key",
    "open_account",
    "recover",
    "revoke",
    "set_limit",
    "set_plan",
    "show",
]


class Refused(Exception):
    """A command was not carried out, and the message says why."""


def list_accounts(accounts: Accounts, plan: str | None) -> None:
    """Every account, or those of a plan."""
    print_accounts((account for account in accounts.all() if plan in {None, account.plan}), time.time())


def find(accounts: Accounts, text: str | None) -> None:
    """Print the accounts that a text, or one that is typed, leads to; ``KeyError`` where there is none."""
    text = text or read_typed("id or e-mail")
    found = [account for account in accounts.all() if _matches(account, text)]
    if not found:
        raise KeyError(text)
    print_accounts(found, time.time())


def find_key(accounts: Accounts) -> None:
    """Print the account that a key belongs or belonged to; the key is typed or piped in, and never shown."""
    found = accounts.find_by_key(_read_key())
    if found is None:
        raise Refused("no account lists this key: it was never given, was revoked, or was ended long ago")
    account, expiry = found
    print_accounts([account], time.time())
    print(f"\nkey: {f'ends or ended at {iso_instant(expiry)}' if expiry else 'active'}")
    _remark("what an ended key proves, and what it does not: docs/keys.md#recovery")


def show(accounts: Accounts, account: str) -> None:
    """One account, and its calls by month."""
    found = accounts.get(account)
    print_accounts([found], time.time())
    if found.skills:
        print(f"granted skills: {', '.join(sorted(found.skills))}")
    print()
    print_table(("MONTH", "CALLS"), [(month, str(calls)) for month, calls in found.history().items()])


def open_account(accounts: Accounts, plan: str, email: str | None) -> None:
    """Open an account and print its key. ``email``: ``-`` reads it; ``ValueError`` if it is not plain."""
    if email == "-":
        email = read_typed("e-mail")
    if email is not None and not is_plain_address(email):
        raise ValueError("an e-mail takes letters, digits and . _ + - before its @, as ti@exemplo.com.br")
    _hand_out(accounts.open(plan, email))


def new_key(accounts: Accounts, account: str, revoke_others: bool) -> None:
    """A further key of an account whose owner lost theirs."""
    if revoke_others:
        accounts.revoke_all(account)
    _hand_out(accounts.add_key(account))


def recover(accounts: Accounts, account: str) -> None:
    """The account to its owner alone: no key holds but a new one, and no access that was given by another.

    Ask first whether it is the owner: docs/keys.md says how. ``Refused`` where no e-mail could tell.
    """
    email = accounts.get(account).email
    if not email:
        raise Refused(
            "it was opened without an e-mail: its owner may prove by an old key that it is theirs (find-key)"
        )
    ended = accounts.revoke_all(account)
    _hand_out(accounts.add_key(account))
    _remark(f"{len(ended.keys)} keys ended, and what programs were allowed by them")
    _remark(f"for who returned the word sent to {shell_quoted(email)}, and for nobody at another address")
    _remark("keep of it: the day, the account, that the word came back")


def set_plan(accounts: Accounts, account: str, plan: str) -> None:
    """Another plan by hand, with a remark on what follows at Stripe."""
    before = accounts.get(account)
    accounts.set_plan(account, plan)
    print(f"{account}: {before.plan} -> {plan}")
    if before.monthly_limit != PLANS[before.plan].monthly_limit:
        _remark(
            f"its own limit of {_said(before.monthly_limit)} calls has ended with the plan it was given on"
        )
    kept = ", ".join(f"{kept.id} ({kept.status})" for kept in before.billing.subscriptions.values())
    if not kept:
        return
    if plan == "enterprise":
        _remark(f"it stays enterprise whatever Stripe tells, but {kept} is still charged: cancel it there")
    else:
        _remark(f"subscribed at Stripe: {kept}; its next event sets the plan anew, so change it there")


def set_limit(accounts: Accounts, account: str, limit: int | str) -> None:
    """Another monthly limit, ``unlimited``, or the ``plan``'s."""
    before = accounts.get(account)
    own = (
        PLANS[before.plan].monthly_limit if limit == "plan" else None if limit == "unlimited" else int(limit)
    )
    accounts.set_limit(account, own)
    print(f"{account}: {_said(before.monthly_limit)} -> {_said(own)} calls a month")
    if own != PLANS[before.plan].monthly_limit:
        _remark(f"it holds at once, and until the account leaves the plan {before.plan}")


def delete(accounts: Accounts, account: str) -> None:
    """Delete an account for good; ``Refused`` while somebody pays for it."""
    standing = [
        kept.id for kept in accounts.get(account).billing.subscriptions.values() if kept.prevents_another
    ]
    if standing:
        raise Refused(
            f"still subscribed at Stripe, and charged: {', '.join(standing)}; cancel it there first"
        )
    deleted = accounts.delete(account)
    print(receipt(deleted, time.time()))
    if deleted.billing.customer:
        _remark(f"the receipt promises it: have the customer {deleted.billing.customer} deleted at Stripe")


def revoke(accounts: Accounts, account: str) -> None:
    """End every key of an account."""
    before = accounts.revoke_all(account)
    print(f"{account}: {len(before.keys)} keys ended")
    if kept := ", ".join(before.billing.subscriptions):
        _remark(f"still subscribed at Stripe, and charged: {kept}; cancel it there")


def export(accounts: Accounts, month: str | None) -> None:
    """Calls by account and month; the plan is the one of today. Without e-mails, which no count needs."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["account", "plan", "month", "calls"])
    for account in accounts.all():
        for name, calls in account.history().items():
            if month in {None, name}:
                writer.writerow([account.id, account.plan, name, calls])


def demo(accounts: Accounts) -> None:
    """How many addresses use the demo key, and how much. Addresses themselves are not known."""
    addresses: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    most: dict[str, int] = {}
    for months in accounts.demo_calls():
        addresses.update(months.keys())
        calls.update(months)
        most |= {month: max(count, most.get(month, 0)) for month, count in months.items()}
    rows = [
        (month, str(addresses[month]), str(calls[month]), str(most[month])) for month in sorted(addresses)
    ]
    print_table(("MONTH", "ADDRESSES", "CALLS", "MOST OF ONE"), rows)


def _read_key() -> str:
    """Read a key without echo; arguments would stay in the shell's history and be seen by others."""
    if sys.stdin.isatty():
        return getpass("key: ").strip()
    return sys.stdin.readline().strip()


def _said(limit: int | None) -> str:
    return "unlimited" if limit is None else str(limit)


def _matches(account: Account, text: str) -> bool:
    billing = account.billing
    names = {account.id, billing.customer, *billing.subscriptions}
    return text in names or text.lower() in (account.email or "").lower()


def _hand_out(issued: Issued) -> None:
    print(f"account {issued.account}\nplan    {issued.plan.id}\nkey     {issued.api_key}")
    _remark("the key is shown this once: only its hash is kept")


def _remark(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)
