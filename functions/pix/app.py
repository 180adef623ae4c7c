"""POST /api/v1/skills/pix and /pix/decode."""

from skills.create_pix_code import CREATE_PIX_CODE
from skills.decode_pix_code import DECODE_PIX_CODE
from web.application import Application
from web.sessions import Sessions
from web.skill_routes import skill_routes
from wiring.services import open_services

services = open_services()
handler = Application("pix", skill_routes(Sessions(services), CREATE_PIX_CODE, DECODE_PIX_CODE))
