"""What the lists show a caller beside our own skills: the custom skills that the key or token may use."""

from brskills_server.accounts.errors import InvalidKey
from brskills_server.runtime.services import Services
from brskills_server.skills.skill import Skill
from brskills_server.web.request import Request

__all__ = ["listed_skills", "own_skills", "own_skills_by_token"]


def own_skills(request: Request, services: Services) -> dict[str, Skill]:
    """The custom skills that the request's key may use at this moment; without a key there are none.

    Raises ``InvalidKey`` or ``StoreUnavailable``. The store is asked only where custom skills are installed.
    """
    if not request.api_key or not services.custom_skills.installed:
        return {}
    _, account = services.accounts.identify(request.api_key)
    return services.custom_skills.of(account)


def own_skills_by_token(request: Request, services: Services) -> dict[str, Skill]:
    """The same where access tokens are taken: what the key may use that a token was granted by."""
    if not request.access_token or not services.custom_skills.installed:
        return own_skills(request, services)
    caller, _ = services.grants.identify(request.access_token)
    return services.custom_skills.of(services.accounts.own(caller))


def listed_skills(request: Request, services: Services) -> dict[str, Skill]:
    """The same for a list, which is open: a key that is not active adds nothing to it."""
    try:
        return own_skills(request, services)
    except InvalidKey:
        return {}
