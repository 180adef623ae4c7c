"""The routes of watched companies: /api/v1/watches and /api/v1/changes."""

from brskills_server.runtime.services import open_services
from brskills_server.skills.watches.list_changes import LIST_CHANGES
from brskills_server.skills.watches.list_watches import LIST_WATCHES
from brskills_server.skills.watches.read_watch import READ_WATCH
from brskills_server.skills.watches.simulate_change import SIMULATE_CHANGE
from brskills_server.skills.watches.unwatch_company import UNWATCH_COMPANY
from brskills_server.skills.watches.watch_companies import WATCH_COMPANIES
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes

services = open_services()
skills = (WATCH_COMPANIES, LIST_WATCHES, READ_WATCH, UNWATCH_COMPANY, SIMULATE_CHANGE, LIST_CHANGES)
handler = Application(
    "watches",
    skill_routes(Sessions(services, watches=services.watches), *skills),
    support_contact=services.settings.support_contact,
)
