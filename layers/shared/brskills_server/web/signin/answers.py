"""Answers of the protocol: JSON for programs, with errors in its own form and not as problems."""

from collections.abc import Callable
from typing import Any

from authlib.oauth2 import OAuth2Error

from brskills_server.accounts.errors import SignupLimit, StoreUnavailable
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response

__all__ = ["AGAIN_SECONDS", "NO_STORE", "as_oauth", "error_answer"]

NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}
AGAIN_SECONDS = 2
"""When to repeat what a store, or a look at a document, had no room for."""


def as_oauth(handler: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """A route for programs: what goes wrong is told in the form of RFC 6749 §5.2."""

    def run(request: Request) -> Response:
        try:
            return handler(request)
        except OAuth2Error as error:
            return _told(error)
        except SignupLimit as limit:
            return error_answer(429, "temporarily_unavailable", "Too many registrations.", limit.retry_after)
        except StoreUnavailable as error:
            request.report(error)
            return error_answer(503, "temporarily_unavailable", "Try again in a moment.", AGAIN_SECONDS)

    return run


def error_answer(status: int, error: str, description: str, retry_after: int | None = None) -> Response:
    """An error of the protocol; ``description`` is in English, ``retry_after`` in seconds."""
    response = json_response(status, {"error": error, "error_description": description})
    response.headers |= NO_STORE
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    return response


def _told(error: OAuth2Error) -> Response:
    status, body, headers = error()
    content: dict[str, Any] = dict(body)
    content.pop("state", None)
    response = json_response(status, content)
    response.headers |= dict(headers)
    return response
