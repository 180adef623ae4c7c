"""Commands over accounts and keys; each may raise ``StoreUnavailable``, or ``KeyError`` with an id."""

import re
import time

import click

from brskills_server.accounts.account import Account
from brskills_server.accounts.accounts import Issued
from brskills_server.accounts.email_address import is_plain_address
from brskills_server.accounts.plans import PLANS
from brskills_server.admin.console import (
    CommandRejected,
    note,
    open_accounts,
    print_accounts,
    print_table,
    read_line,
    read_secret,
    shell_quoted,
)
from brskills_server.admin.receipt import receipt
from brskills_server.registry.dates import iso_instant

_PLAN = click.Choice(["free", "pro", "enterprise"])


@click.command("list")
@click.option("--plan", type=_PLAN)
def list_accounts(plan: str | None) -> None:
    """List every account, or those of a plan."""
    accounts = open_accounts()
    print_accounts((account for account in accounts.all() if plan in {None, account.plan}), time.time())


@click.command()
@click.argument("text", required=False)
def find(text: str | None) -> None:
    """Find accounts by id, e-mail, or Stripe's customer or subscription id.

    TEXT is an id, or any part of an e-mail; without it, it is read from standard input.
    """
    text = text or read_line("id or e-mail")
    found = [account for account in open_accounts().all() if _matches(account, text)]
    if not found:
        raise KeyError(text)
    print_accounts(found, time.time())


@click.command("find-key")
def find_key() -> None:
    """Find the account of a key, active or expired; reads the key without echo."""
    found = open_accounts().find_by_key(read_secret("key"))
    if found is None:
        raise CommandRejected(
            "no account lists this key: it was never issued, was revoked, or expired long ago"
        )
    account, expiry = found
    print_accounts([account], time.time())
    click.echo(f"\nkey: {f'ends or ended at {iso_instant(expiry)}' if expiry else 'active'}")
    note("what an ended key proves, and what it does not: docs/operate/monitoring.md")


@click.command()
@click.argument("account")
def show(account: str) -> None:
    """Show one account with the calls of its months."""
    found = open_accounts().get(account)
    print_accounts([found], time.time())
    if found.skills:
        click.echo(f"granted skills: {', '.join(sorted(found.skills))}")
    click.echo()
    print_table(("MONTH", "CALLS"), [(month, str(calls)) for month, calls in found.history().items()])


@click.command("open")
@click.argument("plan", type=_PLAN)
@click.option("--email", help="an address, or `-` to read one from standard input")
def open_account(plan: str, email: str | None) -> None:
    """Open an account and print its key, once."""
    if email == "-":
        email = read_line("e-mail")
    if email is not None and not is_plain_address(email):
        raise ValueError("an e-mail takes letters, digits and . _ + - before its @, as ti@exemplo.com.br")
    _print_key(open_accounts().open(plan, email))


@click.command("new-key")
@click.argument("account")
@click.option("--revoke-others", is_flag=True, help="revoke every other key at once")
def new_key(account: str, revoke_others: bool) -> None:
    """Add a key to an account and print it, once."""
    accounts = open_accounts()
    if revoke_others:
        accounts.revoke_all(account)
    _print_key(accounts.add_key(account))


@click.command()
@click.argument("account")
def recover(account: str) -> None:
    """Revoke every key and access of an owner who proved the e-mail, and print a new key, once."""
    accounts = open_accounts()
    email = accounts.get(account).email
    if not email:
        raise CommandRejected(
            "it was opened without an e-mail: its owner may prove ownership by an old key (find-key)"
        )
    ended = accounts.revoke_all(account)
    _print_key(accounts.add_key(account))
    note(f"{len(ended.keys)} keys revoked, with the access of programs that used them")
    note(f"give it only to the person who returned the word sent to {shell_quoted(email)}")
    note("record the day, the account, and that the word was returned")


@click.command("set-plan")
@click.argument("account")
@click.argument("plan", type=_PLAN)
def set_plan(account: str, plan: str) -> None:
    """Move an account to a plan; keys and count stay."""
    accounts = open_accounts()
    before = accounts.get(account)
    accounts.set_plan(account, plan)
    click.echo(f"{account}: {before.plan} -> {plan}")
    if before.monthly_limit != PLANS[before.plan].monthly_limit:
        note(f"its custom limit of {_calls(before.monthly_limit)} calls ended with the plan {before.plan}")
    subscribed = ", ".join(f"{one.id} ({one.status})" for one in before.billing.subscriptions.values())
    if subscribed and plan == "enterprise":
        note(f"Stripe's events do not change enterprise, but {subscribed} is still charged: cancel it there")
    elif subscribed:
        note(f"subscribed at Stripe: {subscribed}; its next event sets the plan again, so change it there")


@click.command("set-limit")
@click.argument("account")
@click.argument("limit")
def set_limit(account: str, limit: str) -> None:
    """Set another monthly limit than the plan's, until the plan changes.

    LIMIT is calls a month, `unlimited`, or `plan` for the plan's limit.
    """
    if not re.fullmatch("unlimited|plan|[0-9]{1,12}", limit):
        raise click.BadParameter("a limit is a whole number, `unlimited` or `plan`")
    accounts = open_accounts()
    before = accounts.get(account)
    of_plan = PLANS[before.plan].monthly_limit
    chosen = of_plan if limit == "plan" else None if limit == "unlimited" else int(limit)
    accounts.set_limit(account, chosen)
    click.echo(f"{account}: {_calls(before.monthly_limit)} -> {_calls(chosen)} calls a month")
    if chosen != of_plan:
        note(f"it applies at once, and until the account leaves the plan {before.plan}")


@click.command()
@click.argument("account")
def delete(account: str) -> None:
    """Delete an account for good and print a receipt; refused while it is charged at Stripe."""
    accounts = open_accounts()
    charged = [one.id for one in accounts.get(account).billing.subscriptions.values() if one.prevents_another]
    if charged:
        raise CommandRejected(
            f"still subscribed at Stripe, and charged: {', '.join(charged)}; cancel it there first"
        )
    deleted = accounts.delete(account)
    click.echo(receipt(deleted, time.time()))
    if deleted.billing.customer:
        note(f"as the receipt promises, have the customer {deleted.billing.customer} deleted at Stripe")


@click.command()
@click.argument("account")
def revoke(account: str) -> None:
    """Revoke every key of an account, at once."""
    before = open_accounts().revoke_all(account)
    click.echo(f"{account}: {len(before.keys)} keys revoked")
    if subscribed := ", ".join(before.billing.subscriptions):
        note(f"still subscribed at Stripe, and charged: {subscribed}; cancel it there")


COMMANDS = (
    list_accounts,
    find,
    find_key,
    show,
    open_account,
    new_key,
    recover,
    set_plan,
    set_limit,
    delete,
    revoke,
)


def _calls(limit: int | None) -> str:
    return "unlimited" if limit is None else str(limit)


def _matches(account: Account, text: str) -> bool:
    billing = account.billing
    names = {account.id, billing.customer, *billing.subscriptions}
    return text in names or text.lower() in (account.email or "").lower()


def _print_key(issued: Issued) -> None:
    click.echo(f"account {issued.account}\nplan    {issued.plan.id}\nkey     {issued.api_key}")
    note("the key is shown only now: the store keeps its hash alone")
