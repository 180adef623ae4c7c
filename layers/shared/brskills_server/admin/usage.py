"""Commands that report usage: calls by account and month, and those of the demo key."""

import csv
import re
import sys
from collections import Counter

import click

from brskills_server.admin.console import open_accounts, print_table


@click.command()
@click.option("--month", help="as 2026-11; without it, every month")
def export(month: str | None) -> None:
    """Print calls by account and month as CSV, with today's plan and without e-mails."""
    if month is not None and not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", month):
        raise click.BadParameter("a month is written as 2026-11")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["account", "plan", "month", "calls"])
    for account in open_accounts().all():
        for name, calls in account.history().items():
            if month in {None, name}:
                writer.writerow([account.id, account.plan, name, calls])


@click.command()
def demo() -> None:
    """Print by month how many addresses use the public demo key, and how much."""
    addresses: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    most: dict[str, int] = {}
    for months in open_accounts().demo_calls():
        addresses.update(months.keys())
        calls.update(months)
        most |= {month: max(count, most.get(month, 0)) for month, count in months.items()}
    rows = [
        (month, str(addresses[month]), str(calls[month]), str(most[month])) for month in sorted(addresses)
    ]
    print_table(("MONTH", "ADDRESSES", "CALLS", "MOST OF ONE"), rows)


COMMANDS = (export, demo)
