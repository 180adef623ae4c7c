"""Custom skills: declared by packages that an operator installs, and used by the accounts they are meant for.

A custom skill is a ``Skill`` like ours in a namespace of its own: its one route and its operation follow from
its name, so it can never take the place of a route of ours, of today or of a later version. What else it has
to keep to is in ``brskills_server.skills.custom_rules``, and how it is run in ``brskills_server.skills.bulkhead``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.skills.skill import Endpoint, Skill

__all__ = ["CUSTOM", "ENTRY_POINTS", "ROUTE", "CustomSkills", "endpoints_of"]

CUSTOM = "custom"
"""The scope of every custom skill."""

ENTRY_POINTS = "brskills.skills"
"""The group of entry points by which packages declare skills: ``name = "module:SKILL"``."""

ROUTE = "/api/v1/skills/custom/{skill}"
"""The one route of them all; ``{skill}`` is a skill's name."""


def endpoints_of(name: str, examples: Mapping[str, Any]) -> tuple[Endpoint, ...]:
    """The endpoints of the custom skill ``name``; ``examples`` are requests by name, for the documents.

    >>> endpoints_of("look_up_bank", {"itau": {"codigo": "341"}})[0].operation
    'customLookUpBank'
    """
    operation = CUSTOM + "".join(map(str.capitalize, name.split("_")))
    return (Endpoint("POST", ROUTE.format(skill=name), operation, examples),)


@dataclass(frozen=True, slots=True)
class CustomSkills:
    """The custom skills of an installation by name, and the plans whose accounts may all use one."""

    installed: Mapping[str, Skill] = field(default_factory=dict)
    plans: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def of(self, account: Account | None) -> dict[str, Skill]:
        """Those that an account may use: granted to it, or to its plan. ``None`` is the demo key's: none."""
        if account is None:
            return {}
        return {
            name: skill
            for name, skill in self.installed.items()
            if name in account.skills or account.plan in self.plans.get(name, ())
        }
