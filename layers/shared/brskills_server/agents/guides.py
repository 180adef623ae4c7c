"""Markdown guides for agents, with a section for each skill made from its declaration."""

from collections.abc import Iterable

from brskills_server.accounts.plans import PLANS
from brskills_server.skills.catalogue import SKILLS
from brskills_server.skills.skill import Skill


def fill_in(template: str, key: str, custom: Iterable[Skill] = ()) -> str:
    """Return a text with ``{skills}``, ``{tools}`` and ``{free_calls}`` filled in.

    ``key``: the placeholder for the reader's key. ``custom``: the custom skills that the reader may use.
    ``{base}`` and the deployment's values are filled in for each request.
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


def _section(skill: Skill, key: str) -> str:
    heading = skill.name.replace("_", " ").capitalize().replace("pix", "Pix")
    return f"### {heading}\n\n{skill.texts.english}\n\n{skill.texts.guide.replace('{key}', key)}"
