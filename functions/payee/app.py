"""POST /api/v1/skills/pix/conferir, which follows addresses that callers name, and the keys of proofs."""

from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.locations import open_locations
from brskills_server.runtime.services import open_services
from brskills_server.skills.payee.check_payee import CHECK_PAYEE
from brskills_server.web.application import Application
from brskills_server.web.key_set import key_set_routes
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes

services = open_services()
companies = open_companies(services)
locations = open_locations(services)
handler = Application(
    "payee",
    skill_routes(Sessions(services, companies, locations), CHECK_PAYEE) | key_set_routes(services),
    services.tally,
    services.settings.support_contact,
)


def warm_up() -> None:
    """Import what calls of providers and PSPs need, before SnapStart takes its snapshot."""
    companies.registry.open()
    locations.open()
