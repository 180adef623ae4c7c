"""The proxy event that API Gateway would send for an ASGI request."""

import base64
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs


def build_event(
    scope: Mapping[str, Any],
    body: bytes,
    resource: str,
    parameters: dict[str, str],
    request_id: str,
    is_proxy: Callable[[str], bool],
) -> dict[str, Any]:
    """Return a REST API proxy event (payload format 1.0) for the route ``resource``.

    ``scope``: of ASGI, with the whole ``target`` as sent, which alone says that an empty query was sent.
    ``is_proxy``: whether a peer's address is that of a trusted proxy, which may have a connection by https.

    A body that is not UTF-8 is encoded in base64, as API Gateway does with binary media types.
    """
    peer = scope["client"][0] if scope["client"] else ""
    headers = _headers(scope, peer)
    if "X-Forwarded-Proto" in headers and not is_proxy(peer):
        del headers["X-Forwarded-Proto"]
    query_string = scope["query_string"].decode("latin-1")
    has_query = query_string or scope.get("target", b"").endswith(b"?")  # which may be empty
    query = parse_qs(query_string, keep_blank_values=True)
    text, is_base64 = _text(body)
    return {
        "resource": resource,
        "path": scope["path"],
        "httpMethod": scope["method"],
        "headers": {name: values[-1] for name, values in headers.items()},
        "multiValueHeaders": headers,
        "queryStringParameters": {name: values[-1] for name, values in query.items()} or None,
        "multiValueQueryStringParameters": query or None,
        "rawQueryString": query_string if has_query else None,  # API Gateway has it only in format 2.0
        "pathParameters": parameters or None,
        "stageVariables": None,
        "requestContext": {
            "requestId": request_id,
            "stage": "v1",
            "resourcePath": resource,
            "httpMethod": scope["method"],
            "path": scope["raw_path"].decode("latin-1"),
            "requestTimeEpoch": int(time.time() * 1000),
            "identity": {"sourceIp": peer},
        },
        "body": text,
        "isBase64Encoded": is_base64,
    }


def _headers(scope: Mapping[str, Any], peer: str) -> dict[str, list[str]]:
    """Return the headers with capitalized names; ``X-Forwarded-For`` ends with the peer."""
    headers: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.decode("latin-1").title(), []).append(value.decode("latin-1"))
    headers["X-Forwarded-For"] = [", ".join([*headers.get("X-Forwarded-For", []), peer])]
    return headers


def _text(body: bytes) -> tuple[str | None, bool]:
    try:
        return body.decode() or None, False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode(), True
