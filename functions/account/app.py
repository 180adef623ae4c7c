"""The routes of an account: its keys and usage, watched companies, their changes and webhooks."""

from brskills_server.accounts.errors import UnconfirmedRotation
from brskills_server.metering.session import Session
from brskills_server.runtime.services import open_services
from brskills_server.skills.account import keys as account
from brskills_server.skills.account.get_usage import GET_USAGE
from brskills_server.skills.watches.list_changes import LIST_CHANGES
from brskills_server.skills.watches.list_watches import LIST_WATCHES
from brskills_server.skills.watches.read_watch import READ_WATCH
from brskills_server.skills.watches.simulate_change import SIMULATE_CHANGE
from brskills_server.skills.watches.unwatch_company import UNWATCH_COMPANY
from brskills_server.skills.watches.watch_companies import WATCH_COMPANIES
from brskills_server.skills.webhooks.change_webhook import CHANGE_WEBHOOK
from brskills_server.skills.webhooks.create_webhook import CREATE_WEBHOOK
from brskills_server.skills.webhooks.delete_webhook import DELETE_WEBHOOK
from brskills_server.skills.webhooks.list_deliveries import LIST_DELIVERIES
from brskills_server.skills.webhooks.list_webhooks import LIST_WEBHOOKS
from brskills_server.skills.webhooks.read_webhook import READ_WEBHOOK
from brskills_server.skills.webhooks.rotate_webhook import ROTATE_WEBHOOK
from brskills_server.skills.webhooks.send_test_event import SEND_TEST_EVENT
from brskills_server.web.application import Application
from brskills_server.web.body import read_json
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response
from brskills_server.web.sessions import Sessions
from brskills_server.web.skill_routes import skill_routes

services = open_services()
sessions = Sessions(services, watches=services.watches, webhooks=services.webhooks)
skills = (
    GET_USAGE,
    *(WATCH_COMPANIES, LIST_WATCHES, READ_WATCH, UNWATCH_COMPANY, SIMULATE_CHANGE, LIST_CHANGES),
    *(CREATE_WEBHOOK, LIST_WEBHOOKS, READ_WEBHOOK, CHANGE_WEBHOOK, DELETE_WEBHOOK),
    *(SEND_TEST_EVENT, ROTATE_WEBHOOK, LIST_DELIVERIES),
)


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
    "account",
    {
        ("POST", "/api/v1/keys"): issue,
        ("POST", "/api/v1/keys/rotate"): sessions.require_key(rotate),
        ("POST", "/api/v1/keys/revoke"): sessions.require_key(revoke),
        **skill_routes(sessions, *skills),
    },
    support_contact=services.settings.support_contact,
)
