"""POST /mcp and /mcp/oauth: the skills for software agents, by the Model Context Protocol."""

from pathlib import Path

from brskills_server.agents.cards import Cards
from brskills_server.agents.server import Server
from brskills_server.agents.sign_in import OAUTH_PATH
from brskills_server.agents.tools import Tools
from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.locations import open_locations
from brskills_server.runtime.services import open_services
from brskills_server.runtime.snapshot import snapshot_check
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from brskills_server.web.visible_skills import visible_skills

services = open_services()
companies = open_companies(services)
sessions = Sessions(services, companies, open_locations(services), services.watches)
server = Server(
    services.settings,
    Tools(sessions).run,
    lambda request: visible_skills(request, services, by_token=True),
    services.grants.identify,
    Cards(Path(__file__).parent / "cards"),
    snapshot_check(services.settings),
)
handler = Application(
    "mcp",
    {
        (method, path): answer
        for path in ("/mcp", OAUTH_PATH)
        for method, answer in (("POST", server.post), ("GET", server.refuse), ("DELETE", server.refuse))
    },
    services.tally,
    support_contact=services.settings.support_contact,
)


def warm_up() -> None:
    """Import what calls of providers need, before SnapStart takes its snapshot."""
    companies.registry.open()
