"""An answer on its way to API Gateway."""

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from brskills_server.skills.answer_size import check_size

__all__ = ["EXPOSED_HEADERS", "Response", "json_response"]

EXPOSED_HEADERS = (
    "ETag, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Ajustes, "
    "X-Alertas, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
)
_EVERYWHERE = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    "X-Content-Type-Options": "nosniff",
}


@dataclass(slots=True)
class Response:
    """Status, headers and a body; bytes are binary and travel in base64.

    Raises ``ApiError`` ``sources_unavailable`` for a body over ``MAX_ANSWER_BYTES``.
    """

    status: int
    body: str | bytes = ""
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_size(self.body)

    def as_proxy_result(self, request_id: str) -> dict[str, Any]:
        """The dictionary that API Gateway's proxy integration expects."""
        binary = isinstance(self.body, bytes)
        return {
            "statusCode": self.status,
            "headers": {**_EVERYWHERE, **self.headers, "X-Request-Id": request_id},
            "body": base64.b64encode(self.body).decode() if isinstance(self.body, bytes) else self.body,
            "isBase64Encoded": binary,
        }


def json_response(status: int, content: Any, **headers: str) -> Response:
    """A JSON answer; header names are given with underscores for hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Response(status, body, {"Content-Type": "application/json", **named})
