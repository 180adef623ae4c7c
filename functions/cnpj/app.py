"""What asks the registry: GET /api/v1/skills/cnpj/{cnpj}, POST /skills/cnpj, /cnpj/lote and /pix/conferir."""

from brskills_server.runtime.services import open_services
from brskills_server.skills.cnpj.look_up_companies import LOOK_UP_COMPANIES
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.payee.check_payee import CHECK_PAYEE
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes

services = open_services()
registry = services.registry  # opened at start, but for what only a call needs that must ask a provider
skills = (LOOK_UP_COMPANY, LOOK_UP_COMPANIES, CHECK_PAYEE)
handler = Application(
    "cnpj", skill_routes(Sessions(services), *skills), services.tally, services.settings.support_contact
)


def warm_up() -> None:
    """Before a snapshot is taken; else a company that is stored would wait for what only asking takes."""
    registry.open()
