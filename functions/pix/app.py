"""POST /api/v1/skills/pix, /pix/lote and /pix/decode."""

from brskills_server.runtime.services import open_services
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.pix.create_pix_codes import CREATE_PIX_CODES
from brskills_server.skills.pix.decode_pix_code import DECODE_PIX_CODE
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes

services = open_services()
skills = (CREATE_PIX_CODE, CREATE_PIX_CODES, DECODE_PIX_CODE)
handler = Application(
    "pix", skill_routes(Sessions(services), *skills), services.tally, services.settings.support_contact
)
