"""POST /api/v1/billing/checkout, /portal and /webhook."""

from collections.abc import Callable

from aws_lambda_powertools import Logger

from brskills_server import telemetry
from brskills_server.accounts.errors import BillingUnavailable, NothingSold
from brskills_server.metering.session import Session
from brskills_server.runtime.services import open_services
from brskills_server.skills.account.billing import BillingPages
from brskills_server.telemetry.figures import PAYMENTS
from brskills_server.web.application import Application
from brskills_server.web.body import read_json
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response
from brskills_server.web.sessions import Sessions

services = open_services()
sessions = Sessions(services)
processor = services.processor
billing = BillingPages(services.accounts, processor)
logger = Logger(service="billing")

FOR_THE_OPERATOR = {"unknown_account", "recorded_double", "recorded_paid_back"}


def checkout(request: Request, session: Session) -> Response:
    """Return a page to subscribe at."""
    page = billing.checkout(read_json(request, optional=True), session, f"{request.base_url}/")
    return json_response(200, page.model_dump(), Cache_Control="no-store")


def portal(request: Request, session: Session) -> Response:
    """Return a page to manage a subscription at."""
    page = billing.portal(read_json(request, optional=True), session, f"{request.base_url}/")
    return json_response(200, page.model_dump(), Cache_Control="no-store")


def webhook(request: Request) -> Response:
    """Record an event of the processor; it is sent again unless the answer is 200."""
    if processor is None:
        raise NothingSold("not configured")
    event = processor.read_event(request.body, request.headers.get("stripe-signature", ""))
    if event is None:
        return json_response(200, {"resultado": "ignored"})
    outcome = services.subscriptions.record(event, processor)
    telemetry.count(PAYMENTS, outcome)
    # The event's id leads the operator to the details at the processor.
    report = logger.warning if outcome in FOR_THE_OPERATOR else logger.info
    report("event", event=event.id, kind=event.kind, outcome=outcome)
    return json_response(200, {"resultado": outcome})


def log_unavailability(handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Return the route with a log line that says why billing is unavailable."""

    def run(request: Request) -> Response:
        try:
            return handler(request)
        except BillingUnavailable as failure:
            logger.warning("billing unavailable", reason=str(failure), request_id=request.id)
            raise

    return run


handler = Application(
    "billing",
    {
        ("POST", "/api/v1/billing/checkout"): log_unavailability(sessions.require_key(checkout)),
        ("POST", "/api/v1/billing/portal"): log_unavailability(sessions.require_key(portal)),
        ("POST", "/api/v1/billing/webhook"): log_unavailability(webhook),
    },
    support_contact=services.settings.support_contact,
)
