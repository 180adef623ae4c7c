"""Responses to OAuth clients: JSON, with errors as RFC 6749 §5.2 defines them."""

from collections.abc import Callable

from authlib.oauth2 import OAuth2Error

from brskills_server.accounts.errors import SignupLimit, StoreUnavailable
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response

NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}
RETRY_SECONDS = 2
"""When to retry after the store failed or too many documents were being fetched."""


def with_oauth_errors(handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Return the handler with exceptions turned into error responses."""

    def run(request: Request) -> Response:
        try:
            return handler(request)
        except OAuth2Error as error:
            status, body, headers = error()
            response = json_response(status, {name: value for name, value in body.items() if name != "state"})
            response.headers |= dict(headers)
            return response
        except SignupLimit as limit:
            return error_response(
                429, "temporarily_unavailable", "Too many registrations.", limit.retry_after
            )
        except StoreUnavailable as error:
            request.report(error)
            return error_response(503, "temporarily_unavailable", "Try again in a moment.", RETRY_SECONDS)

    return run


def error_response(status: int, error: str, description: str, retry_after: int | None = None) -> Response:
    """Return an error with a description in English; ``retry_after`` is in seconds."""
    response = json_response(status, {"error": error, "error_description": description})
    response.headers |= NO_STORE
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return response
