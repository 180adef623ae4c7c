"""POST /api/v1/skills/pix, /pix/lote and /pix/decode."""

from skills.create_pix_code import CREATE_PIX_CODE
from skills.create_pix_codes import CREATE_PIX_CODES
from skills.decode_pix_code import DECODE_PIX_CODE
from web.application import Application
from web.sessions import Sessions
from web.skill_routes import skill_routes
from wiring.services import open_services

services = open_services()
skills = (CREATE_PIX_CODE, CREATE_PIX_CODES, DECODE_PIX_CODE)
handler = Application("pix", skill_routes(Sessions(services), *skills), services.tally)
