"""What a tool call comes back with: JSON as text for every client, as data for those that read it.

No tool declares an ``outputSchema``: a refusal's data is a problem, which some clients would hold against the
schema of a success and reject. The OpenAPI document describes both.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents.advice import advice_for
from web.base import base_url
from web.problem import render

if TYPE_CHECKING:
    from web.problem import Problem
    from web.request import Request

__all__ = ["ToolResult", "failure", "success"]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The members of a ``CallToolResult`` and the HTTP headers that go with them."""

    content: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)


def success(answer: str, headers: dict[str, str] | None = None, png: bytes | None = None) -> ToolResult:
    """A skill's JSON answer, with a picture beside it for whoever looks at the screen."""
    content: list[dict[str, Any]] = [{"type": "text", "text": answer}]
    if png is not None:
        image = {"type": "image", "data": base64.b64encode(png).decode(), "mimeType": "image/png"}
        content.append({**image, "annotations": {"audience": ["user"]}})
    return ToolResult({"content": content, "structuredContent": json.loads(answer)}, headers or {})


def failure(problem: Problem, request: Request, demo_key: str) -> ToolResult:
    """A refusal an agent can act on: its code, each fault by field, what to do next."""
    details = json.loads(str(render(problem, request.id, request.language).body))
    if "Retry-After" in problem.headers:
        details["retry_after"] = int(problem.headers["Retry-After"])
    faults = [
        f"- {fault['campo']} ({fault['code']}): {fault['detail']}" for fault in details.get("errors", ())
    ]
    lines = [f"{details['code']}: {details['detail']}", *faults]
    advice = advice_for(problem.code, request.language, base_url(request), demo_key)
    if advice:
        lines.append(advice)
    content = [{"type": "text", "text": "\n".join(lines)}]
    return ToolResult({"content": content, "structuredContent": details, "isError": True}, problem.headers)
