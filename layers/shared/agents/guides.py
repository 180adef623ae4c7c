"""What agents read before they call: Markdown texts with a section for each skill, from its declaration."""

from access import PLANS
from skills.catalogue import SKILLS
from skills.skill import Skill

__all__ = ["fill_in"]


def fill_in(template: str, key: str) -> str:
    """A text with ``{skills}``, ``{tools}`` and ``{free_calls}`` filled in.

    ``key`` stands where readers put their own. ``{base}`` and ``{demo}`` are filled in by request.
    """
    sections = "\n\n".join(_section(skill, key) for skill in SKILLS.values())
    values = {
        "{skills}": sections,
        "{tools}": ", ".join(SKILLS),
        "{free_calls}": str(PLANS["free"].monthly_limit),
    }
    for gap, value in values.items():
        template = template.replace(gap, value)
    return template


def _section(skill: Skill, key: str) -> str:
    heading = skill.name.replace("_", " ").capitalize().replace("pix", "Pix")
    return f"### {heading}\n\n{skill.texts.english}\n\n{skill.texts.guide.replace('{key}', key)}"
