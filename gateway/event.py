"""From a WSGI environment to the proxy event that API Gateway would send."""

import base64
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

__all__ = ["MAX_REQUEST_BYTES", "BodyTooLarge", "body_of", "event_of", "path_of"]

MAX_REQUEST_BYTES = 10 * 1024 * 1024
"""API Gateway's own limit for a body; the functions' limit is far below it."""


class BodyTooLarge(Exception):
    """The body has more than :data:`MAX_REQUEST_BYTES`."""


def _headers_of(environ: Mapping[str, Any]) -> dict[str, str]:
    """The request's headers, each word of a name capitalised; ``X-Forwarded-For`` ends with the peer."""
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
    """The request's whole body; raises :class:`BodyTooLarge`."""
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > MAX_REQUEST_BYTES:
        raise BodyTooLarge
    chunked = "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower()
    body: bytes = environ["wsgi.input"].read(MAX_REQUEST_BYTES + 1 if chunked else length)
    if len(body) > MAX_REQUEST_BYTES:
        raise BodyTooLarge
    return body


def event_of(
    environ: Mapping[str, Any],
    body: bytes,
    resource: str,
    parameters: dict[str, str],
    request_id: str,
) -> dict[str, Any]:
    """A REST API proxy event (payload format 1.0).

    ``resource`` is the route's template, ``parameters`` are its path parameters. A body that is not UTF-8
    is sent in base64, as API Gateway does with binary media types.
    """
    headers = _headers_of(environ)
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
    """The path without percent-encoding; bytes that are not UTF-8 become U+FFFD."""
    path: str = environ.get("PATH_INFO", "/")
    return path.encode("latin-1").decode("utf-8", "replace") or "/"


def _as_text(body: bytes) -> tuple[str | None, bool]:
    try:
        return body.decode() or None, False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode(), True
