"""What agents read before they call: Markdown texts with a section for each skill, from its declaration."""

from skills.catalogue import SKILLS
from skills.skill import Skill

__all__ = ["fill_in"]


def fill_in(template: str, key: str) -> str:
    """A text with ``{skills}`` and ``{tools}`` filled in; ``key`` is what stands for the reader's own key.

    ``{base}`` and ``{demo}`` are left for whoever serves it.
    """
    sections = "\n\n".join(_section(skill, key) for skill in SKILLS.values())
    return template.replace("{skills}", sections).replace("{tools}", ", ".join(SKILLS))


def _section(skill: Skill, key: str) -> str:
    heading = skill.name.replace("_", " ").capitalize().replace("pix", "Pix")
    return f"### {heading}\n\n{skill.texts.english}\n\n{skill.texts.guide.replace('{key}', key)}"
