"""The sign-in of MCP clients by OAuth; ``docs/evidence/clients.md`` has the reasons.

Requests do not show whether a client supports OAuth. So one address asks every client when it connects; the
other asks, at a call, those clients that are known to sign in then.
"""

from typing import Any

from brskills_server.accounts.api_key import is_well_formed
from brskills_server.agents.message import Message
from brskills_server.agents.protocol_versions import CLIENT_INFO_KEY
from brskills_server.web.problems import Problem
from brskills_server.web.request import Request

OAUTH_PATH = "/mcp/oauth"
"""The route that asks every client: a separate resource, since some clients compare its name."""

_USER_AGENT = "claude-user"
_CLIENTS = ("anthropic", "claude-ai")
_TOKEN_PROBLEMS = {"invalid_token", "insufficient_scope"}  # a client with a token supports OAuth


def sign_in_problem(request: Request) -> Problem | None:
    """Return why ``/mcp/oauth`` asks for a sign-in: nothing was sent, or a bearer that is no token or key."""
    if request.route[1] != OAUTH_PATH or request.access_token:
        return None
    if not request.api_key:
        return Problem("missing_api_key", ":sign_in")
    return Problem("invalid_token") if _is_bearer(request) and not is_well_formed(request.api_key) else None


def is_challenged(problem: Problem, message: Message, request: Request) -> bool:
    """Whether a call's problem is sent as 401 or 403 and not as a result."""
    asks = problem.code == "missing_api_key" and _is_from_claude(message, request)
    is_wrong = problem.code == "invalid_api_key" and request.route[1] == OAUTH_PATH and _is_bearer(request)
    return asks or is_wrong or problem.code in _TOKEN_PROBLEMS


def challenge(problem: Problem, request: Request) -> dict[str, str]:
    """Return the header with the place to sign in or the scopes to ask for (RFC 6750 §3, RFC 9728 §5.1)."""
    parameters = {"resource_metadata": _metadata_address(request)}
    if problem.code in _TOKEN_PROBLEMS:
        parameters["error"] = problem.code
    if "scopes" in problem.details:
        parameters["scope"] = problem.details["scopes"]
    return {"WWW-Authenticate": _bearer(parameters)}


def challenge_in_result(request: Request) -> dict[str, Any]:
    """Return the same as a member of a result's ``_meta``, which ChatGPT reads and others ignore."""
    parameters = {
        "resource_metadata": _metadata_address(request),
        "error": "invalid_token",
        "error_description": "Sign in to call this tool",
    }
    return {"mcp/www_authenticate": [_bearer(parameters)]}


def _is_bearer(request: Request) -> bool:
    """Whether the key of a request with one came as bearer."""
    return not request.headers.get("x-api-key", "").strip()


def _is_from_claude(message: Message, request: Request) -> bool:
    """Whether a call is from claude.ai, which signs in after a 401 but not after a result."""
    info = message.meta.get(CLIENT_INFO_KEY)
    name = info.get("name") if isinstance(info, dict) else None
    return _USER_AGENT in request.headers.get("user-agent", "").lower() or (
        isinstance(name, str) and name.lower().startswith(_CLIENTS)
    )


def _metadata_address(request: Request) -> str:
    return f"{request.base_url}/.well-known/oauth-protected-resource{request.route[1]}"


def _bearer(parameters: dict[str, str]) -> str:
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in parameters.items())
