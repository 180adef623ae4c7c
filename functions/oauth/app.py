"""Sign-in by OAuth 2.1 for programs that call /mcp, and the list of an account's grants.

GET /.well-known/oauth-protected-resource and its variants; POST /oauth/register, /token and /revoke; GET and
POST /oauth/authorize; GET /api/v1/grants and POST /api/v1/grants/end.
"""

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

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
from brskills_server.web.signin.authorization_server import Message, Server
from brskills_server.web.signin.client_lookup import ClientLookup
from brskills_server.web.signin.consent import Consent
from brskills_server.web.signin.metadata import asking_resource_metadata, resource_metadata, server_metadata
from brskills_server.web.signin.pages import Pages
from brskills_server.web.signin.parameters import read_form
from brskills_server.web.signin.registration import InvalidMetadata, read_metadata, registration_response
from brskills_server.web.signin.responses import NO_STORE, error_response, with_oauth_errors

services = open_services()
sessions = Sessions(services)
grants, clients = services.grants, services.clients


@cache
def client_documents() -> Any:
    """Return what fetches clients' documents."""
    # Imported here because httpx and asyncio are slow to load, and most starts need no document.
    from brskills_server.web.signin.client_documents import ClientDocuments

    return ClientDocuments(f"brskills/{VERSION} (+{services.settings.project_url})", time.time)


def fetch_client(address: str) -> Client | None:
    """Return the client of the document at an address."""
    client: Client | None = client_documents().client(address)
    return client


client_lookup = ClientLookup(clients, fetch_client, services.document_readings)
consent = Consent(
    Pages(Path(__file__).parent / "templates", services.settings),
    client_lookup,
    grants,
    services.accounts,
    services.signups,
    sessions.network,
)


def metadata(build: Callable[[str, Settings], dict[str, Any]]) -> Callable[[Request], Response]:
    """Return a route for metadata about the address it is requested at."""

    def answer(request: Request) -> Response:
        base = request.base_url
        if "://" not in base:
            return error_response(400, "invalid_request", "The Host header names no host.")
        response = json_response(200, build(base, services.settings))
        response.headers |= {"Cache-Control": "public, max-age=300", "Vary": "Host, X-Forwarded-Proto"}
        return response

    return answer


def register(request: Request) -> Response:
    """Register a client; equal metadata is the same client."""
    try:
        metadata = read_metadata(read_json(request))
    except InvalidMetadata as error:
        return error_response(400, error.code, error.reason)
    except ApiError as error:
        reason = f"The body is not a JSON object: {error.code}."
        return error_response(400, "invalid_client_metadata", reason)
    client = clients.recall(*metadata.identity)
    if client is None:
        services.registrations.take(sessions.network(request), None)
        client = clients.register(*metadata.identity)
    response = json_response(201, registration_response(client, metadata))
    response.headers |= NO_STORE
    return response


def token(request: Request) -> Response:
    """Issue tokens for a code or a refresh token."""
    response: Response = _server(request).create_token_response(_message(request, "grant_type"))
    return response


def revoke(request: Request) -> Response:
    """End the grant of a token."""
    response: Response = _server(request).create_endpoint_response("revocation", _message(request, "token"))
    return response


def show_grants(_: Request, session: Session) -> Response:
    """List the account's grants."""
    found = list_grants(session, grants, services.accounts)
    session.mark_checked()
    return json_response(200, found.model_dump(), Cache_Control="no-store")


def revoke_grant(request: Request, session: Session) -> Response:
    """End one of the account's grants."""
    end_grant(read_json(request), session, grants, services.accounts)
    session.mark_checked()
    return Response(204)


def _server(request: Request) -> Server:
    return Server(request.base_url, grants, client_lookup.identify)


def _message(request: Request, required: str) -> Message:
    return Message("POST", request.base_url + request.route[1], read_form(request, required, "client_id"))


RESOURCE = metadata(resource_metadata)
SERVER = metadata(server_metadata)

handler = Application(
    "oauth",
    {
        ("GET", "/.well-known/oauth-protected-resource"): RESOURCE,
        ("GET", "/.well-known/oauth-protected-resource/mcp"): RESOURCE,
        ("GET", "/.well-known/oauth-protected-resource/mcp/oauth"): metadata(asking_resource_metadata),
        ("GET", "/.well-known/oauth-authorization-server"): SERVER,
        ("GET", "/.well-known/openid-configuration"): SERVER,
        ("POST", "/oauth/register"): with_oauth_errors(register),
        ("GET", "/oauth/authorize"): consent.show,
        ("POST", "/oauth/authorize"): consent.decide,
        ("POST", "/oauth/token"): with_oauth_errors(token),
        ("POST", "/oauth/revoke"): with_oauth_errors(revoke),
        ("GET", "/api/v1/grants"): sessions.require_key(show_grants),
        ("POST", "/api/v1/grants/end"): sessions.require_key(revoke_grant),
    },
    support_contact=services.settings.support_contact,
)
