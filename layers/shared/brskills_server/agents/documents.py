"""What the server has beside tools: resources, skills, prompts, and the completion of their arguments."""

from collections.abc import Iterable

from brskills_server.agents.completion import completion_methods
from brskills_server.agents.methods import Method
from brskills_server.agents.prompts import prompt_methods
from brskills_server.agents.resources import Resource, Resources
from brskills_server.agents.skill_files import SkillFiles
from brskills_server.runtime.settings import Settings


def document_methods(settings: Settings, cards: Iterable[Resource]) -> dict[str, Method]:
    """Return the methods by name."""
    skills = SkillFiles(settings)
    resources = skills.resources()
    uris = {resource.uri for resource in resources}
    return {
        **Resources([*resources, *cards]).methods(),
        **skills.methods(),
        **prompt_methods(),
        **completion_methods(uris),
    }
