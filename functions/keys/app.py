"""POST /api/v1/keys, /keys/rotate and /keys/revoke; GET /api/v1/usage."""

from brskills_server.accounts.errors import UnconfirmedRotation
from brskills_server.metering.session import Session
from brskills_server.runtime.services import open_services
from brskills_server.skills.account import keys as account
from brskills_server.skills.account.get_usage import GET_USAGE
from brskills_server.web.application import Application
from brskills_server.web.body import read_json
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes

services = open_services()
sessions = Sessions(services)


def issue(request: Request) -> Response:
    """Issue a free key."""
    content = read_json(request, optional=True)
    issued = account.sign_up(content, sessions.network(request), services.signups, services.accounts)
    return json_response(201, issued.model_dump(), Cache_Control="no-store")


def rotate(request: Request, session: Session) -> Response:
    """Issue a new key of the same account."""
    try:
        issued = account.rotate(read_json(request, optional=True), session, services.accounts)
    except UnconfirmedRotation:
        session.mark_checked()  # the key may have ended, and 401 would hide the new one
        raise
    session.mark_checked()
    return json_response(201, issued.model_dump(), Cache_Control="no-store")


def revoke(request: Request, session: Session) -> Response:
    """End the request's key."""
    account.revoke(read_json(request, optional=True), session, services.accounts)
    session.mark_checked()
    return Response(204)


handler = Application(
    "keys",
    {
        ("POST", "/api/v1/keys"): issue,
        ("POST", "/api/v1/keys/rotate"): sessions.require_key(rotate),
        ("POST", "/api/v1/keys/revoke"): sessions.require_key(revoke),
        **skill_routes(sessions, GET_USAGE),
    },
    support_contact=services.settings.support_contact,
)
