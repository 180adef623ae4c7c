"""The custom skills that lists show to a caller: those that the key or token may use."""

from brskills_server.accounts.errors import InvalidKey
from brskills_server.runtime.services import Services
from brskills_server.skills.custom import CustomSkills
from brskills_server.skills.skill import Skill
from brskills_server.web.request import Request


def visible_skills(request: Request, services: Services, *, by_token: bool = False) -> dict[str, Skill]:
    """Return the custom skills that the request's key may use now; ``by_token``: or its access token.

    Raise ``InvalidKey`` or ``StoreUnavailable``. The store is read only where custom skills are installed.
    """
    if not request.api_key:  # nor is any package loaded for such a request
        return {}
    custom: CustomSkills = services.custom_skills
    if not custom.installed:
        return {}
    if by_token and request.access_token:
        caller, _ = services.grants.identify(request.access_token)
        return custom.of(services.accounts.own(caller))
    _, account = services.accounts.identify(request.api_key)
    return custom.of(account)


def listed_skills(request: Request, services: Services) -> dict[str, Skill]:
    """Return the same for an open list: an inactive key adds nothing to it."""
    try:
        return visible_skills(request, services)
    except InvalidKey:
        return {}
