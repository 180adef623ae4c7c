"""The custom skills that lists show to a caller: those that the key or token may use."""

from brskills_server.accounts.errors import InvalidKey
from brskills_server.runtime.services import Services
from brskills_server.skills.custom import CustomSkills
from brskills_server.skills.skill import Skill
from brskills_server.web.request import Request


def skills_of_key(request: Request, services: Services) -> dict[str, Skill]:
    """Return the custom skills that the request's key may use now; without a key, none.

    Raise ``InvalidKey`` or ``StoreUnavailable``. The store is read only where custom skills are installed.
    """
    if not request.api_key:
        return {}
    custom: CustomSkills = services.custom_skills
    if not custom.installed:
        return {}
    _, account = services.accounts.identify(request.api_key)
    return custom.of(account)


def skills_of_key_or_token(request: Request, services: Services) -> dict[str, Skill]:
    """Return the same where access tokens are accepted: for a token, those of the key that granted it."""
    if not request.access_token:
        return skills_of_key(request, services)
    custom: CustomSkills = services.custom_skills
    if not custom.installed:
        return {}
    caller, _ = services.grants.identify(request.access_token)
    return custom.of(services.accounts.own(caller))


def listed_skills(request: Request, services: Services) -> dict[str, Skill]:
    """Return the same for an open list: an inactive key adds nothing to it."""
    try:
        return skills_of_key(request, services)
    except InvalidKey:
        return {}
