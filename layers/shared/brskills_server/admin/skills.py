"""Commands over custom skills: which are installed, and which accounts may use them."""

from collections.abc import Iterable, Mapping

import click

from brskills_server.admin.console import note, open_accounts, print_table
from brskills_server.runtime.custom_skills import find_custom_skills, installed_packages
from brskills_server.runtime.settings import Settings

HEADINGS = ("SKILL", "PACKAGE", "PLANS", "ACCOUNTS")


@click.command("skills")
def list_skills() -> None:
    """List the custom skills that are installed here or granted, and who may use them."""
    plans, packages = _plans(), installed_packages()
    find_custom_skills(plans)
    granted: dict[str, list[str]] = {}
    for account in open_accounts().all():
        for skill in account.skills:
            granted.setdefault(skill, []).append(account.id)
    rows = [
        (
            name,
            packages.get(name, "(not installed here)"),
            _joined(plans.get(name, ())),
            _joined(granted.get(name, ())),
        )
        for name in sorted({*packages, *granted})
    ]
    print_table(HEADINGS, rows)


@click.command()
@click.argument("account")
@click.argument("skill")
def grant(account: str, skill: str) -> None:
    """Let an account use a custom skill, at once."""
    open_accounts().grant(account, skill)
    click.echo(f"{account}: may use {skill}")
    if skill not in installed_packages():
        note(f"{skill} is not installed here: check its spelling")


@click.command()
@click.argument("account")
@click.argument("skill")
def ungrant(account: str, skill: str) -> None:
    """Withdraw a granted skill, at once; the account's plan may still include it."""
    accounts = open_accounts()
    before = accounts.get(account)
    accounts.withdraw(account, skill)
    click.echo(f"{account}: {skill} {'withdrawn' if skill in before.skills else 'was not granted'}")
    if before.plan in _plans().get(skill, ()):
        note(f"SKILL_PLANS still includes it in the plan {before.plan}")


COMMANDS = (list_skills, grant, ungrant)


def _plans() -> Mapping[str, frozenset[str]]:
    return Settings.from_environment().skill_plans


def _joined(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "-"
