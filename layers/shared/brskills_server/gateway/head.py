"""What the gateway accepts as the head of a request, where its parser accepts more."""

import re
from collections.abc import Mapping
from typing import Any

from brskills_server.gateway.body import MAX_BODY_BYTES, InvalidRequest

MAX_TARGET_BYTES = 8190
"""Path and query; about what API Gateway accepts."""

MAX_HEAD_BYTES = 16 * 1024
"""Request line and headers."""

MAX_HEADERS = 100
"""Lines of a head after the first."""

_HOST = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::[0-9]*)?")
"""RFC 9110 §7.2, without the future forms of addresses."""


def check_head(scope: Mapping[str, Any]) -> None:
    """Check the head in ASGI's ``scope``, with ``target`` as sent if it is there. Raise `InvalidRequest`."""
    version, headers = scope["http_version"], scope["headers"]
    target = scope.get("target", scope["raw_path"])
    if len(target) > MAX_TARGET_BYTES:
        raise InvalidRequest("uri_too_long")
    lengths = [len(name) + len(value) + len(": \r\n") for name, value in headers]
    if len(headers) > MAX_HEADERS or len(target) + sum(lengths) > MAX_HEAD_BYTES:
        raise InvalidRequest("headers_too_large")
    if version not in {"1.0", "1.1"}:
        raise InvalidRequest("malformed_request")
    if not target.startswith(b"/") or b"#" in target:  # a proxy may see another path, or another host
        raise InvalidRequest("malformed_request")
    names = [name for name, _ in headers]
    hosts = names.count(b"host")
    if hosts > 1 or (hosts == 0 and version == "1.1"):
        raise InvalidRequest("malformed_request")
    for name, value in headers:
        # A proxy may see the end of other bodies elsewhere (request smuggling, RFC 9112 §6.3).
        if name == b"transfer-encoding":
            if value.lower() != b"chunked":
                raise InvalidRequest("unsupported_transfer_encoding")
            if version == "1.0":
                raise InvalidRequest("malformed_request")
        elif name == b"host" and not _HOST.fullmatch(value):
            raise InvalidRequest("malformed_request")
        elif name == b"content-length" and int(value) > MAX_BODY_BYTES:
            raise InvalidRequest("body_too_large")
