"""POST /api/v1/skills/custom/{skill}: the custom skills that packages of this installation declare."""

from web.application import Application
from web.sessions import Sessions
from web.skill_routes import custom_routes
from wiring.services import open_services

services = open_services()
skills = services.custom_skills  # found at start: a faulty package stops this function and names itself
handler = Application("custom", custom_routes(Sessions(services)), services.tally)
