"""Sign-in by OAuth 2.1 for programs that call /mcp, and what an account's owner sees and ends of it.

GET /.well-known/oauth-protected-resource and its neighbours; POST /oauth/register, /token and /revoke; GET
and POST /oauth/authorize; GET /api/v1/grants and POST /api/v1/grants/end.
"""

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brskills_server.accounts.grant import Client
from brskills_server.metering.session import Session
from brskills_server.runtime.services import open_services
from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.skills.account.grants import end_grant, list_grants
from brskills_server.skills.errors import ApiError
from brskills_server.web.application import Application
from brskills_server.web.body import read_json
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response
from brskills_server.web.sessions import Sessions
from brskills_server.web.signin.answers import NO_STORE, as_oauth, error_answer
from brskills_server.web.signin.consent import Consent
from brskills_server.web.signin.introductions import Introductions
from brskills_server.web.signin.metadata import asking_resource_metadata, resource_metadata, server_metadata
from brskills_server.web.signin.pages import Pages
from brskills_server.web.signin.parameters import read_form
from brskills_server.web.signin.registration import InvalidMetadata, read_metadata, registered
from brskills_server.web.signin.server import Message, Server
from brskills_server.web.url import base_url

if TYPE_CHECKING:
    from brskills_server.web.signin.documents import Documents

services = open_services()
sessions = Sessions(services)
grants, clients = services.grants, services.clients


@cache
def documents() -> "Documents":
    """What fetches clients' documents; loaded when the first client has one."""
    from brskills_server.web.signin.documents import Documents

    return Documents(f"brskills/{VERSION} (+{services.settings.project_url})", time.time)


def read_document(address: str) -> Client | None:
    """The client that the document at an address introduces."""
    return documents().client(address)


introductions = Introductions(clients, read_document, services.document_readings)
consent = Consent(
    Pages(Path(__file__).parent / "page", services.settings),
    introductions,
    grants,
    services.accounts,
    services.signups,
    sessions.network,
)


def metadata(made: Callable[[str, Settings], dict[str, Any]]) -> Callable[[Request], Response]:
    """A document about the address under which it is asked for."""

    def answer(request: Request) -> Response:
        base = base_url(request)
        if "://" not in base:
            return error_answer(400, "invalid_request", "The Host header names no host.")
        response = json_response(200, made(base, services.settings))
        response.headers |= {"Cache-Control": "public, max-age=300", "Vary": "Host, X-Forwarded-Proto"}
        return response

    return answer


def register(request: Request) -> Response:
    """A client that introduces itself, the same for everybody who says the same."""
    try:
        said = read_metadata(read_json(request))
    except InvalidMetadata as error:
        return error_answer(400, error.code, error.reason)
    except ApiError as refusal:
        return error_answer(400, "invalid_client_metadata", f"The body is not a JSON object: {refusal.code}.")
    client = clients.recall(*said.known_by)
    if client is None:
        services.registrations.take(sessions.network(request), None)
        client = clients.register(*said.known_by)
    response = json_response(201, registered(client, said))
    response.headers |= NO_STORE
    return response


def token(request: Request) -> Response:
    """Tokens for a code or for a refresh token."""
    response: Response = _server(request).create_token_response(_message(request, "grant_type"))
    return response


def revoke(request: Request) -> Response:
    """The end of what a token belongs to."""
    response: Response = _server(request).create_endpoint_response("revocation", _message(request, "token"))
    return response


def listed(_: Request, session: Session) -> Response:
    """What programs may do in the account's name."""
    found = list_grants(session, grants, services.accounts)
    session.mark_checked()
    return json_response(200, found.model_dump(), Cache_Control="no-store")


def ended(request: Request, session: Session) -> Response:
    """The end of one of these."""
    end_grant(read_json(request), session, grants, services.accounts)
    session.mark_checked()
    return Response(204)


def _server(request: Request) -> Server:
    return Server(base_url(request), grants, introductions.recall)


def _message(request: Request, needed: str) -> Message:
    return Message("POST", base_url(request) + request.route[1], read_form(request, needed, "client_id"))


RESOURCE = metadata(resource_metadata)
ASKING_RESOURCE = metadata(asking_resource_metadata)
SERVER = metadata(server_metadata)

handler = Application(
    "oauth",
    {
        ("GET", "/.well-known/oauth-protected-resource"): RESOURCE,
        ("GET", "/.well-known/oauth-protected-resource/mcp"): RESOURCE,
        ("GET", "/.well-known/oauth-protected-resource/mcp/oauth"): ASKING_RESOURCE,
        ("GET", "/.well-known/oauth-authorization-server"): SERVER,
        ("GET", "/.well-known/openid-configuration"): SERVER,
        ("POST", "/oauth/register"): as_oauth(register),
        ("GET", "/oauth/authorize"): consent.show,
        ("POST", "/oauth/authorize"): consent.decide,
        ("POST", "/oauth/token"): as_oauth(token),
        ("POST", "/oauth/revoke"): as_oauth(revoke),
        ("GET", "/api/v1/grants"): sessions.require_key(listed),
        ("POST", "/api/v1/grants/end"): sessions.require_key(ended),
    },
    support_contact=services.settings.support_contact,
)
