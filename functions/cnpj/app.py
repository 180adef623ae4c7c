"""The routes of companies: /api/v1/skills/cnpj, /cnpj/lote, /cnpj/historico and /cnpj/busca."""

from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.services import open_services
from brskills_server.skills.cnpj.company_history import COMPANY_HISTORY
from brskills_server.skills.cnpj.look_up_companies import LOOK_UP_COMPANIES
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.cnpj.search_companies import SEARCH_COMPANIES
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes

services = open_services()
companies = open_companies(services)
skills = (LOOK_UP_COMPANY, LOOK_UP_COMPANIES, COMPANY_HISTORY, SEARCH_COMPANIES)
handler = Application(
    "cnpj",
    skill_routes(Sessions(services, companies), *skills),
    services.tally,
    services.settings.support_contact,
)


def warm_up() -> None:
    """Import what calls of providers need, before SnapStart takes its snapshot."""
    companies.registry.open()
