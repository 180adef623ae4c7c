"""Accounts as a table of text: a line each, columns as wide as what stands in them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from access import billing_of, quota_of
from access.ledger import account_pk, is_alive

if TYPE_CHECKING:
    from collections.abc import Iterable

    from storage import Item

__all__ = ["print_accounts"]

HEADINGS = ("ACCOUNT", "PLAN", "CALLS", "LIMIT", "KEYS", "OPENED", "SUBSCRIPTION", "E-MAIL")


def print_accounts(items: Iterable[Item], now: float) -> None:
    """Print accounts, the oldest first; ``CALLS`` are this month's, ``KEYS`` the living ones."""
    lines = [_line(item, now) for item in sorted(items, key=lambda item: int(item["created_at"]["N"]))]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *lines, strict=True)]
    for line in (HEADINGS, *lines):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _line(item: Item, now: float) -> tuple[str, ...]:
    account = str(item["pk"]["S"]).removeprefix(account_pk(""))
    quota = quota_of(item, now)
    subscriptions = billing_of(item, account).subscriptions.values()
    return (
        account,
        quota.plan,
        str(quota.calls),
        "-" if quota.limit is None else str(quota.limit),
        str(sum(is_alive(item, key, now) for key in item["keys"]["M"])),
        datetime.fromtimestamp(int(item["created_at"]["N"]), UTC).date().isoformat(),
        ", ".join(f"{kept.id} {kept.status}" for kept in subscriptions) or "-",
        _printable(item.get("email", {"S": "-"})["S"]),
    )


def _printable(text: str) -> str:
    # Anybody may sign up with any e-mail: nothing of it may steer the operator's terminal.
    return "".join(character if character.isprintable() else "?" for character in text)
