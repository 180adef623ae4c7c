"""POST /mcp and /mcp/oauth: the skills for software agents, by the Model Context Protocol."""

from pathlib import Path

from brskills_server.agents.cards import Cards
from brskills_server.agents.extensions import RUN_ROUTE
from brskills_server.agents.server import Server
from brskills_server.agents.sign_in import OAUTH_PATH
from brskills_server.agents.tool_methods import ToolTasks
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
tools = Tools(sessions)


def _open_tasks() -> ToolTasks:
    # For hosts with their extension alone.
    from brskills_server.agents.tool_tasks import open_tool_tasks

    return open_tool_tasks(services, tools, sessions, handler)


server = Server(
    services.settings,
    tools.run,
    lambda request: visible_skills(request, services, by_token=True),
    services.grants.identify,
    Cards(Path(__file__).parent / "cards"),
    _open_tasks,
    snapshot_check(services.settings),
)
handler = Application(
    "mcp",
    {
        (method, path): answer
        for path in ("/mcp", OAUTH_PATH)
        for method, answer in (("POST", server.post), ("GET", server.refuse), ("DELETE", server.refuse))
    }
    | {RUN_ROUTE: server.run_task},
    services.tally,
    support_contact=services.settings.support_contact,
)


def warm_up() -> None:
    """Import what calls of providers need, before SnapStart takes its snapshot."""
    companies.registry.open()
