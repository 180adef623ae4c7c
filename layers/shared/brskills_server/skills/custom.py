"""Custom skills: declared by packages that an operator installs, for the accounts that may use them.

Their routes and operations have a separate namespace, so that they can never replace one of the service.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.skills.skill import Endpoint, Skill

CUSTOM = "custom"
"""The scope of every custom skill."""

ENTRY_POINTS = "brskills.skills"
"""Group of the entry points that declare skills: ``name = "module:SKILL"``."""

ROUTE = "/api/v1/skills/custom/{skill}"
"""Route of all custom skills; ``{skill}`` is a skill's name."""


def endpoints_of(name: str, examples: Mapping[str, Any]) -> tuple[Endpoint, ...]:
    """Return the endpoints of the custom skill ``name``; ``examples``: requests by name, for the documents.

    >>> endpoints_of("look_up_bank", {"itau": {"codigo": "341"}})[0].operation
    'customLookUpBank'
    """
    operation = CUSTOM + "".join(map(str.capitalize, name.split("_")))
    return (Endpoint("POST", ROUTE.format(skill=name), operation, examples),)


@dataclass(frozen=True, slots=True)
class CustomSkills:
    """Custom skills of an installation by name, and for each the plans whose accounts may all use it."""

    installed: Mapping[str, Skill] = field(default_factory=dict)
    plans: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def of(self, account: Account | None) -> dict[str, Skill]:
        """Return those granted to an account or to its plan; none for ``None``, the demo key."""
        if account is None:
            return {}
        return {
            name: skill
            for name, skill in self.installed.items()
            if name in account.skills or account.plan in self.plans.get(name, ())
        }
