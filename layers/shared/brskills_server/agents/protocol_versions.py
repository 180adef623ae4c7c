"""The two styles of MCP requests, and the checks of the newer one.

Since revision 2026-07-28 each request has its version and the client's capabilities in ``_meta``, and headers
that repeat the body. Before, ``initialize`` negotiates a version, which later requests may name in a header.
"""

from collections.abc import Mapping
from enum import Enum

from brskills_server.agents.message import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    UNSUPPORTED_VERSION,
    Message,
    RpcError,
)
from brskills_server.web.mcp_versions import HANDSHAKE_VERSIONS, VERSIONS

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"

VERSION_HEADER = "mcp-protocol-version"

_NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose requests repeat a parameter in the header ``Mcp-Name``."""


class Style(Enum):
    """Place of a request's protocol version."""

    HANDSHAKE = "handshake"
    ENVELOPE = "envelope"


def style_of(message: Message, headers: Mapping[str, str]) -> Style:
    """Return the style of a message; ``headers`` by lower-case name."""
    version = headers.get(VERSION_HEADER)
    handshake = version is None or version.strip() in HANDSHAKE_VERSIONS
    return Style.HANDSHAKE if handshake and VERSION_KEY not in message.meta else Style.ENVELOPE


def check_header(headers: Mapping[str, str]) -> None:
    """Raise ``RpcError`` if the header, the only version of a message, is empty or of one that is unknown.

    The first revisions lack this header.
    """
    version = headers.get(VERSION_HEADER)
    if version is not None and version.strip() not in (*HANDSHAKE_VERSIONS, *VERSIONS):
        raise _unsupported(version)


def check_envelope(message: Message, headers: Mapping[str, str]) -> None:
    """Raise ``RpcError`` for what revision 2026-07-28 requires a server to reject, in its order."""
    if VERSION_KEY not in message.meta:
        check_header(headers)
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in message.meta]
    if missing:
        raise RpcError(INVALID_PARAMS, f"params._meta lacks {', '.join(missing)}")
    version = message.meta[VERSION_KEY]
    if not isinstance(version, str) or not isinstance(message.meta[CAPABILITIES_KEY], dict):
        raise RpcError(INVALID_PARAMS, f"{VERSION_KEY} must be a string and {CAPABILITIES_KEY} an object")
    repeated: dict[str, object] = {VERSION_HEADER: version, "mcp-method": message.method}
    if message.method in _NAMES:
        repeated["mcp-name"] = message.params.get(_NAMES[message.method])
    for name, value in repeated.items():
        if headers.get(name, "").strip() != value:
            raise RpcError(HEADER_MISMATCH, f"The {name} header must repeat the body's {value!a}")
    if version not in VERSIONS:
        raise _unsupported(version)


def _unsupported(version: str) -> RpcError:
    return RpcError(
        UNSUPPORTED_VERSION, "Unsupported protocol version", supported=list(VERSIONS), requested=version
    )
