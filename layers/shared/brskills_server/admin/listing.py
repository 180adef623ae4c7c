"""Accounts as a table of text, one line each."""

import shlex
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from brskills_server.accounts.account import Account
from brskills_server.metering.quota import quota_of

__all__ = ["print_accounts", "print_table", "printable", "shell_quoted"]

HEADINGS = ("ACCOUNT", "PLAN", "CALLS", "LIMIT", "KEYS", "OPENED", "SUBSCRIPTION", "E-MAIL")


def print_accounts(accounts: Iterable[Account], now: float) -> None:
    """Print accounts, the oldest first; ``CALLS`` are this month's, ``KEYS`` the active ones."""
    in_order = sorted(accounts, key=lambda account: account.created_at)
    print_table(HEADINGS, [_line(account, now) for account in in_order])


def print_table(headings: tuple[str, ...], lines: Sequence[tuple[str, ...]]) -> None:
    """Print lines in columns under their headings."""
    widths = [max(map(len, column)) for column in zip(headings, *lines, strict=True)]
    for line in (headings, *lines):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _line(account: Account, now: float) -> tuple[str, ...]:
    quota = quota_of(account, now)
    subscriptions = account.billing.subscriptions.values()
    return (
        account.id,
        account.plan,
        str(quota.calls),
        "-" if quota.limit is None else str(quota.limit),
        str(sum(account.is_active(key, now) for key in account.keys)),
        datetime.fromtimestamp(account.created_at, UTC).date().isoformat(),
        ", ".join(f"{kept.id} {kept.status}{' (paid back)' * kept.paid_back}" for kept in subscriptions)
        or "-",
        shell_quoted(account.email or "-"),
    )


def shell_quoted(text: str) -> str:
    """Return a text as a shell takes it for one word, if it is copied: a plain address stays as it is."""
    return shlex.quote(printable(text))


def printable(text: str) -> str:
    """Return a text as a terminal may show it: none of its characters steers one."""
    return "".join(character if character.isprintable() else "?" for character in text)
