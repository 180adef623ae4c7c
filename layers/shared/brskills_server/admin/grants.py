"""Custom skills for the operator: which there are, and which accounts may use them.

Every command may raise ``brskills_server.accounts.errors.StoreUnavailable``; those of one account ``KeyError`` with its id.
"""

import sys
from collections.abc import Iterable, Mapping

from brskills_server.accounts.accounts import Accounts
from brskills_server.admin.listing import print_table
from brskills_server.runtime.custom_skills import find_custom_skills, installed_packages
from brskills_server.runtime.settings import Settings

__all__ = ["grant", "list_skills", "ungrant"]

HEADINGS = ("SKILL", "PACKAGE", "PLANS", "ACCOUNTS")


def list_skills(accounts: Accounts) -> None:
    """Every skill that is installed here or granted; ``FaultySkills`` names what is wrong."""
    plans, packages = _plans(), installed_packages()
    find_custom_skills(plans)
    granted: dict[str, list[str]] = {}
    for account in accounts.all():
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


def grant(accounts: Accounts, account: str, skill: str) -> None:
    """Let an account use a custom skill, from its next call on."""
    accounts.grant(account, skill)
    print(f"{account}: may use {skill}")
    if skill not in installed_packages():
        _remark(f"{skill} is not installed here: see that it is spelt right")


def ungrant(accounts: Accounts, account: str, skill: str) -> None:
    """Take a granted skill back, at once; its plan may still give it."""
    before = accounts.get(account)
    accounts.withdraw(account, skill)
    print(f"{account}: {skill} {'withdrawn' if skill in before.skills else 'was not granted'}")
    if before.plan in _plans().get(skill, ()):
        _remark(f"SKILL_PLANS still gives it to the plan {before.plan}")


def _plans() -> Mapping[str, frozenset[str]]:
    return Settings.from_environment().skill_plans


def _joined(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "-"


def _remark(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)
