"""The answer to API Gateway, with the headers of the quota."""

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from brskills_server.metering.quota import Quota
from brskills_server.skills.answer_size import ALWAYS_FITS, check_size
from brskills_server.web.validators import is_current, tag_of

EXPOSED_HEADERS = (
    "ETag, Idempotency-Replayed, Mcp-Session-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, "
    "X-Ajustes, X-Alertas, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"
)
_COMMON = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    "X-Content-Type-Options": "nosniff",
}


@dataclass(slots=True)
class Response:
    """Status, headers and a body; bytes are binary and travel in base64.

    Raise ``ApiError`` ``sources_unavailable`` for a body over ``MAX_ANSWER_BYTES``.
    """

    status: int
    body: str | bytes = ""
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.body) > ALWAYS_FITS:
            check_size(self.body)

    def as_proxy_result(self, request_id: str) -> dict[str, Any]:
        """Return the dictionary that API Gateway's proxy integration expects."""
        return {
            "statusCode": self.status,
            "headers": {**_COMMON, **self.headers, "X-Request-Id": request_id},
            "body": base64.b64encode(self.body).decode() if isinstance(self.body, bytes) else self.body,
            "isBase64Encoded": isinstance(self.body, bytes),
        }


def json_response(status: int, content: Any, **headers: str) -> Response:
    """Return a JSON answer; header names are given with underscores for hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Response(status, body, {"Content-Type": "application/json", **named})


def revalidated(response: Response, if_none_match: str) -> Response:
    """Return a text's response with its ``ETag``, or 304 if the caller has it."""
    tag = tag_of(str(response.body).encode())
    headers = {**response.headers, "ETag": tag}
    if is_current(tag, if_none_match):
        del headers["Content-Type"]
        return Response(304, "", headers)
    return Response(response.status, response.body, headers)


def rate_headers(quota: Quota | None, *, replayed: bool) -> dict[str, str]:
    """Return the headers of a counted answer: the classic three and the IETF's RateLimit (draft 11)."""
    headers = {"Idempotency-Replayed": "true"} if replayed else {}
    if quota is None or quota.limit is None:
        return headers
    return {
        "X-RateLimit-Limit": str(quota.limit),
        "X-RateLimit-Remaining": str(quota.remaining),
        "X-RateLimit-Reset": str(quota.reset_seconds),
        "RateLimit-Policy": f'"month";q={quota.limit}',
        "RateLimit": f'"month";r={quota.remaining};t={quota.seconds_left}',
        **headers,
    }
