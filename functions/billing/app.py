"""POST /api/v1/billing/checkout, /portal and /webhook."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from aws_lambda_powertools import Logger

from access import BillingUnavailable, Subscriptions
from adapters.stripe.settings import StripeSettings
from skills import billing
from web import Application, Request, Response, read_json
from web.response import json_response
from web.services import Services
from web.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from access import PaymentProcessor, Session

settings = Settings.from_environment()
services = Services(settings)
subscriptions = Subscriptions(services.store)
logger = Logger(service="billing")


def open_processor(stripe: StripeSettings | None) -> PaymentProcessor | None:
    """Stripe, where it is configured; nowhere else its library is even loaded."""
    if stripe is None:
        return None
    from adapters.stripe.processor import StripeProcessor

    return StripeProcessor(stripe)


processor = open_processor(StripeSettings.from_environment(os.environ, settings.project_url))


def checkout(request: Request, session: Session) -> Response:
    """A page to subscribe at."""
    page = billing.checkout(read_json(request, optional=True), session, services.accounts, processor)
    return json_response(200, page.model_dump(), Cache_Control="no-store")


def portal(request: Request, session: Session) -> Response:
    """A page to manage a subscription at."""
    page = billing.portal(read_json(request, optional=True), session, services.accounts, processor)
    return json_response(200, page.model_dump(), Cache_Control="no-store")


def webhook(request: Request) -> Response:
    """An event of Stripe's: 200 is the end of it, on anything else it comes again."""
    stripe = processor
    if stripe is None:
        raise BillingUnavailable("not configured")
    event = stripe.read_event(request.body, request.headers.get("stripe-signature", ""))
    if event is None:
        return json_response(200, {"resultado": "ignored"})
    outcome = subscriptions.record(event.id, event.account, lambda: stripe.subscription(event.subscription))
    # Whatever needs the operator: the event's id leads to the rest, at Stripe.
    report = logger.warning if outcome in {"unknown_account", "recorded_double"} else logger.info
    report("event", event=event.id, kind=event.kind, outcome=outcome)
    return json_response(200, {"resultado": outcome})


def explained(handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """A route whose operator can read in the log why there is no billing."""

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
        ("POST", "/api/v1/billing/checkout"): explained(services.keyed(checkout)),
        ("POST", "/api/v1/billing/portal"): explained(services.keyed(portal)),
        ("POST", "/api/v1/billing/webhook"): explained(webhook),
    },
)
