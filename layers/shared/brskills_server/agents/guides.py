"""Markdown guides for agents, with a section for each skill made from its declaration."""

from collections.abc import Iterable

from brskills_server.accounts.plans import PLANS
from brskills_server.runtime.settings import Settings
from brskills_server.skills.catalogue import SKILLS
from brskills_server.skills.skill import Skill


def fill_in(template: str, key: str, custom: Iterable[Skill] = ()) -> str:
    """Return a text with ``{skills}``, ``{tools}`` and ``{free_calls}`` filled in.

    ``key``: the placeholder for the reader's key. ``custom``: the custom skills that the reader may use.
    ``fill_in_address`` fills in the rest for each request.
    """
    skills = [*SKILLS.values(), *custom]
    values = {
        "{skills}": "\n\n".join(_section(skill, key) for skill in skills),
        "{tools}": ", ".join(skill.name for skill in skills),
        "{free_calls}": str(PLANS["free"].monthly_limit),
    }
    for gap, value in values.items():
        template = template.replace(gap, value)
    return template


def fill_in_address(text: str, base: str, settings: Settings) -> str:
    """Return a text of ``fill_in`` with the service's address and the deployment's values filled in."""
    text = text.replace("{base}", base).replace("{demo}", settings.demo_api_key)
    return text.replace("{whom}", settings.support_contact)


def _section(skill: Skill, key: str) -> str:
    heading = skill.name.replace("_", " ").capitalize().replace("pix", "Pix")
    return f"### {heading}\n\n{skill.texts.english}\n\n{skill.texts.guide.replace('{key}', key)}"
