"""What the lists show a caller beside our own skills: the custom skills that the key may use."""

from access import InvalidKey
from skills.skill import Skill
from web.request import Request
from wiring.services import Services

__all__ = ["listed_skills", "own_skills"]


def own_skills(request: Request, services: Services) -> dict[str, Skill]:
    """The custom skills that the request's key may use at this moment; without a key there are none.

    Raises ``InvalidKey`` or ``StoreUnavailable``. The store is asked only where custom skills are installed.
    """
    if not request.api_key or not services.custom_skills.installed:
        return {}
    _, account = services.accounts.identify(request.api_key)
    return services.custom_skills.of(account)


def listed_skills(request: Request, services: Services) -> dict[str, Skill]:
    """The same for a list, which is open: a key that is not active adds nothing to it."""
    try:
        return own_skills(request, services)
    except InvalidKey:
        return {}
