"""Which of the two eras of MCP a request belongs to, and what each asks of it.

Since revision 2026-07-28 every request carries its version and the client's capabilities in ``_meta``, and
headers that repeat the body. Before, a version was agreed on by ``initialize``, and later requests may name
it in a header. A request is of the new era when it says so in either place, or names a version nobody knows.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from agents.message import HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION, RpcError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents.message import Message

__all__ = ["HANDSHAKE_VERSIONS", "SERVER_INFO_KEY", "VERSIONS", "Era", "check_envelope", "era_of"]

VERSIONS = ("2026-07-28",)
HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"

VERSION_HEADER = "mcp-protocol-version"


class Era(Enum):
    """The handshake's, or the envelope's."""

    HANDSHAKE = "handshake"
    ENVELOPE = "envelope"


def era_of(message: Message, headers: Mapping[str, str]) -> Era:
    """The era a message belongs to; ``headers`` by lower-case name."""
    version = headers.get(VERSION_HEADER)
    of_old = version is None or version.strip() in HANDSHAKE_VERSIONS
    return Era.HANDSHAKE if of_old and VERSION_KEY not in message.meta else Era.ENVELOPE


def check_envelope(message: Message, headers: Mapping[str, str]) -> None:
    """Raise :class:`RpcError` for what revision 2026-07-28 tells a server to refuse, in its order."""
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in message.meta]
    if missing:
        raise RpcError(INVALID_PARAMS, f"params._meta lacks {', '.join(missing)}")
    version = message.meta[VERSION_KEY]
    if not isinstance(version, str) or not isinstance(message.meta[CAPABILITIES_KEY], dict):
        raise RpcError(INVALID_PARAMS, f"{VERSION_KEY} must be a string and {CAPABILITIES_KEY} an object")
    mirrored: dict[str, object] = {VERSION_HEADER: version, "mcp-method": message.method}
    if message.method == "tools/call":
        mirrored["mcp-name"] = message.params.get("name")
    for name, value in mirrored.items():
        if headers.get(name, "").strip() != value:
            raise RpcError(HEADER_MISMATCH, f"The {name} header must repeat the body's {value!a}")
    if version not in VERSIONS:
        raise RpcError(
            UNSUPPORTED_VERSION, "Unsupported protocol version", supported=list(VERSIONS), requested=version
        )
