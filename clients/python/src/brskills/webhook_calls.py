"""Descriptions of the calls about webhooks. None of them is counted."""

from collections.abc import Iterable, Mapping
from typing import Any, Unpack
from urllib.parse import quote

from brskills.calls import Call
from brskills.reading import read
from brskills.webhooks import DeliveryAttempt, IssuedWebhook, Webhook, WebhookFields

_WEBHOOKS = "/api/v1/webhooks"


def create_webhook(
    url: str, eventos: Iterable[str] | None = None, descricao: str | None = None
) -> Call[IssuedWebhook]:
    """Create a webhook for these events, or all; ``segredo`` is shown only once."""
    content = {"url": url, "eventos": None if eventos is None else list(eventos), "descricao": descricao}
    given = {name: value for name, value in content.items() if value is not None}
    return Call("POST", _WEBHOOKS, _issued, given, repeatable=False)


def list_webhooks() -> Call[tuple[Webhook, ...]]:
    """Return the account's webhooks."""
    return Call("GET", _WEBHOOKS, _webhooks)


def read_webhook(id: str) -> Call[Webhook]:
    """Return a webhook."""
    return Call("GET", _path(id), _webhook)


def change_webhook(id: str, **fields: Unpack[WebhookFields]) -> Call[Webhook]:
    """Change the given fields of a webhook, disable it or enable it again (``ativo``)."""
    return Call("PATCH", _path(id), _webhook, fields)


def delete_webhook(id: str) -> Call[None]:
    """Delete a webhook; nothing more is delivered to it."""
    return Call("DELETE", _path(id), lambda _content, _headers: None)


def test_webhook(id: str) -> Call[str]:
    """Send the event ``webhook.test``, and return its id, the delivery's header ``webhook-id``."""
    return Call("POST", f"{_path(id)}/test", _event_id, {}, repeatable=False)


def rotate_webhook(id: str) -> Call[IssuedWebhook]:
    """Replace the secret. For 24 hours deliveries are signed with both, until ``segredo_anterior_ate``."""
    return Call("POST", f"{_path(id)}/rotate", _issued, {}, repeatable=False)


def webhook_deliveries(id: str) -> Call[tuple[DeliveryAttempt, ...]]:
    """Return the last 100 attempts to deliver, newest first."""
    return Call("GET", f"{_path(id)}/deliveries", _attempts)


def _path(id: str) -> str:
    return f"{_WEBHOOKS}/{quote(id, safe='')}"


def _webhook(content: Any, _headers: Mapping[str, str]) -> Webhook:
    return read(Webhook, content)


def _issued(content: Any, _headers: Mapping[str, str]) -> IssuedWebhook:
    return read(IssuedWebhook, content)


def _webhooks(content: Any, _headers: Mapping[str, str]) -> tuple[Webhook, ...]:
    return tuple(read(Webhook, each) for each in read(list, content["webhooks"]))


def _attempts(content: Any, _headers: Mapping[str, str]) -> tuple[DeliveryAttempt, ...]:
    return tuple(read(DeliveryAttempt, each) for each in read(list, content["deliveries"]))


def _event_id(content: Any, _headers: Mapping[str, str]) -> str:
    return read(str, content["id"])
