"""Reading from the operator's terminal and printing to it: tables, notes, pasted text."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from getpass import getpass

import click

from brskills_server.accounts.account import Account
from brskills_server.accounts.accounts import Accounts
from brskills_server.metering.quota import quota_of
from brskills_server.runtime.local import open_local_services

STORE_TIMEOUT_SECONDS = 10
HEADINGS = ("ACCOUNT", "PLAN", "CALLS", "LIMIT", "KEYS", "OPENED", "SUBSCRIPTION", "E-MAIL")


class CommandRejected(Exception):
    """A command that was not carried out; the message is the reason."""


def open_accounts() -> Accounts:
    """Return the accounts of the configured store. Raise ``ValueError`` on a missing or wrong setting."""
    return open_local_services(STORE_TIMEOUT_SECONDS).accounts


def read_line(name: str) -> str:
    """Return a line of standard input, where no shell expands it. Raise ``ValueError`` if it is empty."""
    if sys.stdin.isatty():
        click.echo(f"{name}: ", nl=False, err=True)
    line = sys.stdin.readline().strip()
    if not line:
        raise ValueError(f"{name} is expected on standard input")
    return line


def read_secret(name: str) -> str:
    """Return a line read without echo; as an argument, the shell's history would keep it."""
    return getpass(f"{name}: ").strip() if sys.stdin.isatty() else sys.stdin.readline().strip()


def note(text: str) -> None:
    """Print a note to standard error."""
    click.echo(f"note: {text}", err=True)


def print_accounts(accounts: Iterable[Account], now: float) -> None:
    """Print accounts, the oldest first; ``CALLS`` are this month's, ``KEYS`` the active ones."""
    in_order = sorted(accounts, key=lambda account: account.created_at)
    print_table(HEADINGS, [_row(account, now) for account in in_order])


def print_table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows in columns under their headings."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def shell_quoted(text: str) -> str:
    """Return a text as one shell word, safe to copy; a plain address stays as it is."""
    return shlex.quote(printable(text))


def printable(text: str) -> str:
    """Return a text without characters that control a terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _row(account: Account, now: float) -> tuple[str, ...]:
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
