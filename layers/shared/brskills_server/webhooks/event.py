"""Events as they are delivered: the JSON body of Standard Webhooks, of at most 20 KB.

Source: Standard Webhooks, section "Payload structure".
"""

import json
from hashlib import blake2b
from typing import Any, NamedTuple

from brskills_server.registry.dates import iso_instant
from brskills_server.watches.watch import Change
from brskills_server.webhooks.webhook import COMPANY_CHANGED, USAGE_THRESHOLD, WEBHOOK_TEST

MOST_BYTES = 20_000


class Event(NamedTuple):
    """An event of an account. ``id``: the ``webhook-id``, the same for the same event whenever it is made."""

    id: str
    type: str
    body: str


def company_changed(account: str, change: Change, now: int) -> Event:
    """Return the event of a change. Of one over the size the last fields are left out, and counted."""
    data = change.as_answer()
    body = _body(COMPANY_CHANGED, data, now)
    if len(body.encode()) > MOST_BYTES:
        body = _shortened(data, now)
    return Event(_id(account, COMPANY_CHANGED, change.id), COMPANY_CHANGED, body)


def usage_threshold(
    account: str, plan: str, month: str, limit: int, calls: int, percent: int, now: int
) -> Event:
    """Return the event of an account that has used ``percent`` of its month's ``limit``, by ``calls``."""
    data = {"mes": month, "plano": plan, "limite": limit, "chamadas": calls, "percentual": percent}
    name = f"{month}-{limit}-{percent}"
    return Event(_id(account, USAGE_THRESHOLD, name), USAGE_THRESHOLD, _body(USAGE_THRESHOLD, data, now))


def webhook_test(account: str, webhook: str, name: str, now: int) -> Event:
    """Return an event that tests a webhook; ``name`` differs between tests."""
    data = {"webhook": webhook}
    return Event(_id(account, WEBHOOK_TEST, name), WEBHOOK_TEST, _body(WEBHOOK_TEST, data, now))


def _shortened(data: dict[str, Any], now: int) -> str:
    """Return a body with as many of the fields that changed as it has room for, the first ones."""
    changes = data["mudancas"]
    kept, dropped = 0, len(changes)
    while kept + 1 < dropped:
        middle = (kept + dropped) // 2
        short = {**data, "mudancas": changes[:middle], "mudancas_omitidas": len(changes) - middle}
        fits = len(_body(COMPANY_CHANGED, short, now).encode()) <= MOST_BYTES
        kept, dropped = (middle, dropped) if fits else (kept, middle)
    short = {**data, "mudancas": changes[:kept], "mudancas_omitidas": len(changes) - kept}
    return _body(COMPANY_CHANGED, short, now)


def _body(event_type: str, data: dict[str, Any], now: int) -> str:
    content = {"type": event_type, "timestamp": iso_instant(now), "data": data}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _id(*names: str) -> str:
    return "msg_" + blake2b("\0".join(names).encode(), digest_size=16).hexdigest()
