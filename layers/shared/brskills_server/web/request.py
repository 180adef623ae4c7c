"""A proxy event of API Gateway, read with care: any header may be missing, doubled or hostile."""

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network
from typing import Any

from brskills_server.accounts.network_hash import parse_address
from brskills_server.accounts.tokens import ACCESS
from brskills_server.telemetry.outcome import CallOutcome
from brskills_server.web.language import preferred

__all__ = ["Request"]

Event = dict[str, Any]


class Request:
    """What a handler may know of a call. Never print one: headers and body are the caller's secrets."""

    def __init__(self, event: Event) -> None:
        self._event = event
        self.context: Mapping[str, Any] = event.get("requestContext") or {}
        self.route = (event["httpMethod"], event["resource"])
        self.id = str(self.context.get("requestId") or "")
        self.report: Callable[[Exception], None] = lambda _: None
        """Log an error that a part of the answer stands for."""
        self.outcome = CallOutcome()
        """The outcome of the skill's calls in it."""

    @cached_property
    def headers(self) -> dict[str, str]:
        """Headers by lower-case name; values of a doubled one joined by a comma, cookies by a semicolon."""
        many = self._event.get("multiValueHeaders") or {}
        one = {name: [value] for name, value in (self._event.get("headers") or {}).items()}
        named = ((name.lower(), values) for name, values in (one | many).items())
        # RFC 9113 §8.2.3: HTTP/2 may take cookies apart, and a comma may be a part of one.
        return {name: ("; " if name == "cookie" else ", ").join(values) for name, values in named}

    @cached_property
    def language(self) -> str:
        """``pt`` or ``en``, by Accept-Language."""
        return preferred(self.headers.get("accept-language", ""))

    @property
    def accept(self) -> str:
        """The first type of the Accept header, in lower case and without parameters."""
        return self.headers.get("accept", "").split(",")[0].split(";")[0].strip().lower()

    @property
    def media_type(self) -> str:
        """The media type of the body, in lower case and without parameters; JSON where none is named."""
        return self.headers.get("content-type", "application/json").split(";")[0].strip().lower()

    @property
    def is_encoded(self) -> bool:
        """Whether the body is said to be compressed, or coded in another way (RFC 9110 §8.4)."""
        coding = self.headers.get("content-encoding", "").strip().lower()
        return coding not in ("", "identity")

    @cached_property
    def body(self) -> bytes:
        """The body as sent."""
        body = self._event.get("body") or ""
        if self._event.get("isBase64Encoded"):
            try:
                return base64.b64decode(body)
            except binascii.Error:
                return b"\xff"  # not text in any encoding of ours
        return body.encode("utf-8", "surrogatepass")

    @property
    def api_key(self) -> str:
        """The key that is sent, in ``X-API-Key`` or else as a bearer's token; empty where there is none."""
        return self._key_header or self._bearer

    @property
    def access_token(self) -> str:
        """The access token that is sent as a bearer's; empty where none is, or a key is sent beside it."""
        return self._bearer if self._bearer.startswith(ACCESS) and not self._key_header else ""

    @property
    def _key_header(self) -> str:
        return self.headers.get("x-api-key", "").strip()

    @property
    def _bearer(self) -> str:
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""

    @property
    def path_parameters(self) -> Mapping[str, str]:
        """Parameters of the path, as API Gateway passes them."""
        return self._event.get("pathParameters") or {}

    @property
    def query(self) -> dict[str, list[str]]:
        """Query parameters with all their values; what no answer could repeat is a ``?`` in them."""
        many = self._event.get("multiValueQueryStringParameters") or {}
        one = {name: [value] for name, value in (self._event.get("queryStringParameters") or {}).items()}
        return {
            _sendable(name): [_sendable(value) for value in values] for name, values in (one | many).items()
        }

    @property
    def authorizer(self) -> Mapping[str, str]:
        """What the authorizer said of the caller: ``account`` and ``key``; empty on open routes."""
        return self.context.get("authorizer") or {}

    def client_address(self, trusted: Iterable[IPv4Network | IPv6Network]) -> str:
        """Return the caller's address: the peer's, or the one that trusted proxies have handed on.

        Where a proxy hands on something else, the address is the proxy's own. Nothing left of that counts:
        the caller may have written it, and would choose whose allowance to use.
        """
        peer = str((self.context.get("identity") or {}).get("sourceIp") or "")
        forwarded = [
            part.strip() for part in self.headers.get("x-forwarded-for", "").split(",") if part.strip()
        ]
        if forwarded and forwarded[-1] == peer:  # API Gateway appends the peer itself
            forwarded.pop()
        networks = tuple(trusted)
        while forwarded and _within(peer, networks) and parse_address(forwarded[-1]):
            peer = forwarded.pop()
        return peer


def _sendable(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON can escape and UTF-8 does not have."""
    return text.encode(errors="replace").decode()


def _within(address: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    parsed = parse_address(address)
    return parsed is not None and any(parsed in network for network in networks)
