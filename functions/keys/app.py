"""POST /api/v1/keys, /keys/rotate and /keys/revoke; GET /api/v1/usage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skills import account
from web import Application, Request, Response, read_json
from web.services import Services
from web.settings import Settings

if TYPE_CHECKING:
    from access import Session

services = Services(Settings.from_environment())

_JSON = {"Content-Type": "application/json", "Cache-Control": "no-store"}


def issue(request: Request) -> Response:
    """A free key, at once."""
    content = read_json(request, optional=True)
    issued = account.sign_up(content, services.network(request), services.signups, services.accounts)
    return Response(201, issued.model_dump_json(), dict(_JSON))


def rotate(request: Request, session: Session) -> Response:
    """A new key of the same account."""
    issued = account.rotate(read_json(request, optional=True), session, services.accounts)
    session.mark_checked()
    return Response(201, issued.model_dump_json(), dict(_JSON))


def revoke(request: Request, session: Session) -> Response:
    """The end of the key that is sent."""
    account.revoke(read_json(request, optional=True), session, services.accounts)
    session.mark_checked()
    return Response(204)


def usage(_request: Request, session: Session) -> Response:
    """The month's calls."""
    month = account.usage(session, services.ledger)
    session.mark_checked()
    return Response(200, month.model_dump_json(), dict(_JSON))


handler = Application(
    "keys",
    {
        ("POST", "/api/v1/keys"): issue,
        ("POST", "/api/v1/keys/rotate"): services.keyed(rotate),
        ("POST", "/api/v1/keys/revoke"): services.keyed(revoke),
        ("GET", "/api/v1/usage"): services.keyed(usage),
    },
)
