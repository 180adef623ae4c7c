"""Who is sent to sign in by OAuth, and in what words: ``docs/sign-in-clients.md`` has the reasons.

A client that speaks OAuth cannot be told by its requests from one that does not. So one address asks whoever
comes, at connection; at the other those are asked, at a call, who are known to sign in then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brskills_server.agents.protocol_versions import CLIENT_INFO_KEY
from brskills_server.web.url import base_url

if TYPE_CHECKING:
    from brskills_server.agents.message import Message
    from brskills_server.web.problems import Problem
    from brskills_server.web.request import Request

__all__ = ["ASKING", "asks_at_once", "challenge", "challenge_in_result", "is_challenged"]

ASKING = "/mcp/oauth"
"""The route at which whoever comes is asked: a resource of its own name, for some clients insist on that."""

_USER_AGENT = "claude-user"
_CLIENTS = ("anthropic", "claude-ai")
_OF_TOKENS = {"invalid_token", "insufficient_scope"}  # who sent a token speaks OAuth


def asks_at_once(request: Request) -> bool:
    """Whether a request without credentials came to ``/mcp/oauth``, where nothing is answered to it."""
    return request.route[1] == ASKING and not request.api_key


def is_challenged(problem: Problem, message: Message, request: Request) -> bool:
    """Whether a call's problem is answered by 401 or 403, and not by a result that tells of it."""
    asks = problem.code == "missing_api_key" and _is_from_claude(message, request)
    return asks or problem.code in _OF_TOKENS


def challenge(problem: Problem, request: Request) -> dict[str, str]:
    """The header that tells where to sign in, or what to ask for (RFC 6750 §3, RFC 9728 §5.1)."""
    told = {"resource_metadata": _metadata_address(request)}
    if problem.code in _OF_TOKENS:
        told["error"] = problem.code
    if "scopes" in problem.details:
        told["scope"] = problem.details["scopes"]
    return {"WWW-Authenticate": _bearer(told)}


def challenge_in_result(request: Request) -> dict[str, Any]:
    """The member of a result's ``_meta`` that tells ChatGPT the same; others pass over it."""
    told = {
        "resource_metadata": _metadata_address(request),
        "error": "invalid_token",
        "error_description": "Sign in to call this tool",
    }
    return {"mcp/www_authenticate": [_bearer(told)]}


def _is_from_claude(message: Message, request: Request) -> bool:
    """Whether a call is from claude.ai, which repeats one that is 401, but takes a result for an answer."""
    info = message.meta.get(CLIENT_INFO_KEY)
    name = info.get("name") if isinstance(info, dict) else None
    return _USER_AGENT in request.headers.get("user-agent", "").lower() or (
        isinstance(name, str) and name.lower().startswith(_CLIENTS)
    )


def _metadata_address(request: Request) -> str:
    return f"{base_url(request)}/.well-known/oauth-protected-resource{request.route[1]}"


def _bearer(told: dict[str, str]) -> str:
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in told.items())
