"""Methods of the protocol whose answers are the same for everyone, and may be cached."""

from collections.abc import Callable
from typing import Any

from brskills_server.agents.message import INVALID_PARAMS, Message, RpcError
from brskills_server.agents.protocol_versions import Style
from brskills_server.web.request import Request

Method = Callable[[Message, Style, Request], dict[str, Any]]
"""Returns a result without what the server adds to all; raises ``RpcError``."""

PUBLIC_TTL_MS = 3_600_000


def public(result: dict[str, Any], style: Style) -> dict[str, Any]:
    """Return a result that any cache may keep for an hour; older revisions cannot say so."""
    if style is Style.HANDSHAKE:
        return result
    return {**result, "ttlMs": PUBLIC_TTL_MS, "cacheScope": "public"}


def check_page(message: Message) -> None:
    """Raise ``RpcError`` for a further page of a list."""
    if message.params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "Unknown cursor: there is one page")
