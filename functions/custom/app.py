"""POST /api/v1/skills/custom/{skill}: the custom skills of this installation."""

from brskills_server.runtime.services import open_services
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import custom_routes

services = open_services()
skills = services.custom_skills  # found at start: a faulty package stops this function with its name
handler = Application(
    "custom", custom_routes(Sessions(services)), services.tally, services.settings.support_contact
)
