"""What a tool call comes back with: JSON as text for every client, as data for those that read it.

No tool declares an ``outputSchema``: a refusal's data is a problem, which some clients would hold against the
schema of a success and reject. The OpenAPI document describes both.
"""

import base64
from dataclasses import dataclass, field
from typing import Any

from agents.hints import hint_for
from agents.sign_in import challenge_in_result
from web.problems import Problem, content_of
from web.request import Request
from web.url import base_url
from wiring.settings import Settings

__all__ = ["ToolResult", "failure", "put_in_words", "success"]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The members of a ``CallToolResult`` and the HTTP headers that go with them."""

    content: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)


def success(
    text: str, data: dict[str, Any], headers: dict[str, str] | None = None, png: bytes | None = None
) -> ToolResult:
    """A skill's answer as JSON text and as data, with a picture beside it for whoever looks at the screen."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}]
    if png is not None:
        image = {"type": "image", "data": base64.b64encode(png).decode(), "mimeType": "image/png"}
        content.append({**image, "annotations": {"audience": ["user"]}})
    return ToolResult({"content": content, "structuredContent": data}, headers or {})


def failure(problem: Problem, request: Request, settings: Settings) -> ToolResult:
    """A refusal an agent can act on: its code, each fault by field, what to do next."""
    text, details = put_in_words(problem, request, settings)
    result = {"content": [{"type": "text", "text": text}], "structuredContent": details, "isError": True}
    if problem.code == "missing_api_key":
        result["_meta"] = challenge_in_result(request)
    return ToolResult(result, problem.headers)


def put_in_words(problem: Problem, request: Request, settings: Settings) -> tuple[str, dict[str, Any]]:
    """What an agent reads of a problem, and the problem as data."""
    details = content_of(problem, request.id, request.language)
    faults = [
        f"- {fault['campo']} ({fault['code']}): {fault['detail']}" for fault in details.get("errors", ())
    ]
    if "errors_total" in details:
        faults.append(f"- … (errors_total: {details['errors_total']})")
    lines = [f"{details['code']}: {details['detail']}", *faults]
    hint = hint_for(problem.code + problem.wording, request.language, base_url(request), settings)
    if hint:
        lines.append(hint)
        details["o_que_fazer"] = hint.partition(": ")[2]  # some clients hand on the data alone
    return "\n".join(lines), details
