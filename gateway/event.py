"""From a WSGI environment to the proxy event API Gateway would send, and back."""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MAX_BODY_BYTES", "BodyTooLarge", "body_of", "event_of", "headers_of"]

MAX_BODY_BYTES = 10 * 1024 * 1024
"""What API Gateway itself takes."""


class BodyTooLarge(Exception):
    """More than :data:`MAX_BODY_BYTES`."""


def headers_of(environ: Mapping[str, Any]) -> dict[str, str]:
    """The request's headers, named as on the wire but for the case of their letters."""
    headers = {
        name[5:].replace("_", "-").title(): value
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            headers[name.replace("_", "-").title()] = environ[name]
    forwarded = headers.get("X-Forwarded-For")
    peer = environ.get("REMOTE_ADDR", "")
    headers["X-Forwarded-For"] = f"{forwarded}, {peer}" if forwarded else peer
    return headers


def body_of(environ: Mapping[str, Any]) -> bytes:
    """The request's body, read to its end; raises :class:`BodyTooLarge`."""
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > MAX_BODY_BYTES:
        raise BodyTooLarge
    chunked = "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower()
    body: bytes = environ["wsgi.input"].read(MAX_BODY_BYTES + 1 if chunked else length)
    if len(body) > MAX_BODY_BYTES:
        raise BodyTooLarge
    return body


def event_of(
    environ: Mapping[str, Any],
    headers: dict[str, str],
    body: bytes,
    resource: str,
    parameters: dict[str, str],
    request_id: str,
) -> dict[str, Any]:
    """A REST API proxy event (payload format 1.0)."""
    query = parse_qs(environ.get("QUERY_STRING", ""), keep_blank_values=True)
    text, is_base64 = _as_text(body)
    return {
        "resource": resource,
        "path": path_of(environ),
        "httpMethod": environ["REQUEST_METHOD"],
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": {name: values[-1] for name, values in query.items()} or None,
        "multiValueQueryStringParameters": query or None,
        "pathParameters": parameters or None,
        "stageVariables": None,
        "requestContext": {
            "requestId": request_id,
            "stage": "v1",
            "resourcePath": resource,
            "httpMethod": environ["REQUEST_METHOD"],
            "path": path_of(environ),
            "requestTimeEpoch": int(time.time() * 1000),
            "identity": {"sourceIp": environ.get("REMOTE_ADDR", "")},
        },
        "body": text,
        "isBase64Encoded": is_base64,
    }


def path_of(environ: Mapping[str, Any]) -> str:
    """The path, unquoted."""
    path: str = environ.get("PATH_INFO", "/")
    return path.encode("latin-1").decode("utf-8", "replace") or "/"


def _as_text(body: bytes) -> tuple[str | None, bool]:
    try:
        return body.decode() or None, False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode(), True
