"""Verification of webhook deliveries (Standard Webhooks), without network."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from brskills.errors import BrskillsError, ConfigurationError
from brskills.reading import read
from brskills.watches import WatchedChange, read_watched_change

_ID, _TIMESTAMP, _SIGNATURES = "webhook-id", "webhook-timestamp", "webhook-signature"
_SECRET = re.compile(r"whsec_([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?")
_SECONDS = re.compile(r"[0-9]{1,12}")
_SIGNATURE = re.compile(r"v1,[A-Za-z0-9+/]{43}=")


class InvalidWebhook(BrskillsError):
    """A delivery without a valid signature, more than five minutes old or early, or with a malformed body."""


class Headers(Protocol):
    """The headers of any framework, or a WSGI environment."""

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Return names and values."""


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """A verified event. ``id`` stays the same in each attempt; ``data``: as the service sent it."""

    id: str
    type: str
    timestamp: datetime
    data: Mapping[str, Any]

    def change(self) -> WatchedChange:
        """Return the data of ``company.changed`` as `Client.changes` does. Raise `InvalidWebhook` for others.

        If it was too large, ``data["mudancas_omitidas"]`` says how many fields the feed has beside these.
        """
        try:
            return read_watched_change(self.data)
        except (ArithmeticError, KeyError, TypeError, ValueError):
            raise InvalidWebhook("it is not the change of a company") from None


def verify_webhook(secret: str | Iterable[str], headers: Headers, body: bytes | str) -> WebhookEvent:
    """Return the event of a delivery. ``body``: as received, before its JSON is read.

    Pass both secrets while one replaces the other. Raise `InvalidWebhook`, or `ConfigurationError` for what
    cannot be a secret.
    """
    if not isinstance(body, (bytes, str)):
        raise TypeError("the body as received is needed, before its JSON is read")
    verifiers = [_verifier(each) for each in ([secret] if isinstance(secret, str) else secret)]
    if not verifiers:
        raise ConfigurationError("the webhook's secret is needed")
    signed = _signed_headers(headers)
    try:
        content = _verify(verifiers, signed, body)
        instant = read(datetime, content["timestamp"])
        return WebhookEvent(signed[_ID], read(str, content["type"]), instant, read(dict, content["data"]))
    except (KeyError, RecursionError, TypeError, ValueError):
        raise InvalidWebhook("the body is not an event") from None


def _verifier(secret: str) -> Webhook:
    if _SECRET.fullmatch(secret.strip()):
        return Webhook(secret.strip())
    raise ConfigurationError("a webhook's secret begins with whsec_ and has 24 to 64 bytes in base64")


def _signed_headers(headers: Headers) -> dict[str, str]:
    """Return the headers of the standard in forms that the library reads, without other signatures."""
    found = {name: _header(headers, name) for name in (_ID, _TIMESTAMP, _SIGNATURES)}
    if not _SECONDS.fullmatch(found[_TIMESTAMP]):
        raise InvalidWebhook(f"the header {_TIMESTAMP} is not in seconds")
    signatures = " ".join(filter(_SIGNATURE.fullmatch, found[_SIGNATURES].split()))
    if not signatures:
        raise InvalidWebhook(f"the header {_SIGNATURES} has no signature of version 1")
    return {**found, _SIGNATURES: signatures}


def _header(headers: Headers, name: str) -> str:
    names = (name, f"http_{name}".replace("-", "_"))  # the second in a WSGI environment
    values = [value for given, value in headers.items() if str(given).lower() in names]
    if len(values) == 1 and isinstance(values[0], str) and values[0]:
        return values[0]
    raise InvalidWebhook(f"the header {name} is missing or repeated")


def _verify(verifiers: Iterable[Webhook], headers: dict[str, str], body: bytes | str) -> Any:
    """Return the body's JSON. Raise `ValueError` or `RecursionError` if it has none."""
    reason = ""
    for verifier in verifiers:
        try:
            return verifier.verify(body, headers)
        except WebhookVerificationError as error:
            reason = str(error)
    raise InvalidWebhook(reason)
