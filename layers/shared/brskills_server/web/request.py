"""A proxy event of API Gateway as a request; any header may be missing, repeated or hostile."""

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network
from typing import Any
from urllib.parse import quote, unquote, urlencode

from brskills_server.accounts.network_hash import parse_address
from brskills_server.accounts.tokens import ACCESS
from brskills_server.telemetry.outcome import CallOutcome
from brskills_server.web.url import base_at

LANGUAGES = ("pt", "en")

_QUALITY = re.compile(r"q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")
_LANGUAGE_RANGE = re.compile(
    r"\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?(?:\s*;\s*[Qq]\s*=\s*([01](?:\.[0-9]{0,3})?))?\s*\Z"
)


class Request:
    """Request of a caller. Never print one: its headers and body are secret."""

    def __init__(self, event: dict[str, Any]) -> None:
        self._event = event
        self.context: Mapping[str, Any] = event.get("requestContext") or {}
        self.route = (event["httpMethod"], event["resource"])
        self.id = str(self.context.get("requestId") or "")
        self.report: Callable[[Exception], None] = lambda _: None
        """Log an error behind a part of the answer."""
        self.outcome = CallOutcome()
        """The outcome of the skill's calls in it."""

    @cached_property
    def headers(self) -> dict[str, str]:
        """Headers by lower-case name; repeated ones joined by a comma, cookies by a semicolon."""
        headers = {name.lower(): value for name, value in (self._event.get("headers") or {}).items()}
        for name, values in (self._event.get("multiValueHeaders") or {}).items():
            # RFC 9113 §8.2.3: HTTP/2 may split cookies, and a comma may be a part of one.
            headers[name.lower()] = ("; " if name.lower() == "cookie" else ", ").join(values)
        return headers

    @cached_property
    def language(self) -> str:
        """``pt`` or ``en``, by Accept-Language."""
        return preferred_language(self.headers.get("accept-language", ""))

    def accepted_of(self, offered: Sequence[str]) -> str:
        """Return the media type to answer with, by Accept; without one that fits the first."""
        return preferred_type(self.headers.get("accept", ""), offered)

    @property
    def media_type(self) -> str:
        """The media type of the body, in lower case and without parameters; JSON if not sent."""
        return self.headers.get("content-type", "application/json").split(";")[0].strip().lower()

    @property
    def is_encoded(self) -> bool:
        """Whether a header says that the body is compressed or otherwise encoded (RFC 9110 §8.4)."""
        coding = self.headers.get("content-encoding", "").strip().lower()
        return coding not in ("", "identity")

    @cached_property
    def base_url(self) -> str:
        """The address by which the caller reached the service, for a route without parameters."""
        return self.base_of(self.route[1])

    @property
    def path(self) -> str:
        """The path below the service's address."""
        return str(self._event.get("path") or self.route[1])

    @property
    def target(self) -> str:
        """Path and query as sent; on AWS, which passes the query decoded, with the encoding of RFC 3986.

        AWS does not say of an empty query whether its ``?`` was sent: there it is left out.
        """
        raw = str(self.context.get("path") or "")
        prefix, path, _ = unquote(raw).rpartition(self.path)
        sent = raw[len(prefix) :] if path and raw.startswith(prefix) else self.path
        if "rawQueryString" in self._event:
            query = self._event["rawQueryString"]
        else:
            pairs = [(name, value) for name, values in self.query.items() for value in values]
            query = urlencode(pairs, quote_via=quote) or None
        return sent if query is None else f"{sent}?{query}"

    def base_of(self, path: str) -> str:
        """Return the address of the service by which the caller reached ``path``."""
        return base_at(self.context, self.headers, path)

    @cached_property
    def body(self) -> bytes:
        """The body as sent."""
        body = self._event.get("body") or ""
        if self._event.get("isBase64Encoded"):
            try:
                return base64.b64decode(body)
            except binascii.Error:
                return b"\xff"  # not UTF-8
        return body.encode("utf-8", "surrogatepass")

    @property
    def api_key(self) -> str:
        """The key in ``X-API-Key``, or else the bearer token; empty without either."""
        return self._key_header or self._bearer

    @property
    def access_token(self) -> str:
        """The access token sent as bearer token; empty without one or with a key beside it."""
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
        """Query parameters with all their values; ``?`` replaces what cannot be encoded as UTF-8."""
        many = self._event.get("multiValueQueryStringParameters") or {}
        one = {name: [value] for name, value in (self._event.get("queryStringParameters") or {}).items()}
        return {
            _sendable(name): [_sendable(value) for value in values] for name, values in (one | many).items()
        }

    @property
    def authorizer(self) -> Mapping[str, str]:
        """The authorizer's context, ``account`` and ``key``; empty on open routes."""
        return self.context.get("authorizer") or {}

    def client_address(self, trusted: Iterable[IPv4Network | IPv6Network]) -> str:
        """Return the caller's address: the peer's, or the one that trusted proxies forward.

        If a proxy forwards anything else, the address is the proxy's own. Entries further left are ignored:
        the caller may have written them, to use the allowance of another address.
        """
        peer = str((self.context.get("identity") or {}).get("sourceIp") or "")
        forwarded = [
            part.strip() for part in self.headers.get("x-forwarded-for", "").split(",") if part.strip()
        ]
        if forwarded and forwarded[-1] == peer:  # API Gateway appends the peer itself
            forwarded.pop()
        networks = tuple(trusted)
        while forwarded and is_within(peer, networks) and parse_address(forwarded[-1]):
            peer = forwarded.pop()
        return peer


def _sendable(text: str) -> str:
    """Return the text without lone surrogates, which JSON can escape and UTF-8 cannot encode."""
    return text.encode(errors="replace").decode()


def is_within(address: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Return whether the text is an address of one of the networks."""
    parsed = parse_address(address)
    return parsed is not None and any(parsed in network for network in networks)


def preferred_type(accept: str, offered: Sequence[str]) -> str:
    """Return the offered media type with the greatest weight, of equals the first named (RFC 9110 §12.5.1).

    The first offered type if none is accepted.

    >>> preferred_type("b/png;q=0.1, a/*", ["a/json", "b/png"]), preferred_type("c/d", ["a/json", "b/png"])
    ('a/json', 'a/json')
    """
    ranges: dict[str, tuple[float, int]] = {}
    for place, part in enumerate(accept[:500].lower().split(",")):
        name, *parameters = map(str.strip, part.split(";"))
        quality = next((each for each in parameters if each.partition("=")[0].strip() == "q"), "q=1")
        if match := _QUALITY.fullmatch(quality):
            ranges.setdefault(name, (float(match[1]), -place))

    def weight(media_type: str) -> tuple[float, int]:
        matching = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")  # the most specific first
        return next((ranges[each] for each in matching if each in ranges), (0.0, 0))

    best: str = max(offered, key=weight)
    return best if weight(best)[0] else offered[0]


def preferred_language(accept_language: str) -> str:
    """Return ``pt``, or ``en`` if it weighs more, or as much and comes first (RFC 9110 §12.5.4).

    >>> [preferred_language(header) for header in ("en-US,en;q=0.9", "pt-BR,en;q=0.8", "fr", "fr, en;q=0.2")]
    ['en', 'pt', 'pt', 'en']
    """
    best, weight = LANGUAGES[0], 0.0
    for part in accept_language[:500].split(","):
        match = _LANGUAGE_RANGE.match(part)
        language = match and match[1].lower()
        if match and language in LANGUAGES and (quality := float(match[2] or 1)) > weight:
            best, weight = str(language), quality
    return best
