"""The items of webhooks in the Watches table, and their conversion to values and back.

    ACCOUNT#<id>    WEBHOOKS                               webhooks: how many there are
                    DUE#<webhook>#<due>#<webhook-id>       type, body (deflated where it is long), attempts
                    ATTEMPT#<webhook>#<moment>#<webhook-id>    type, number, status (absent: none), error,
                                                           duration, expires_at
                    EVENT#<webhook-id>                     expires_at
    WEBHOOKS#<n>    <account>#<webhook>                    the fields of Webhook (description absent: none),
                                                           next_due (absent: no delivery),
                                                           claimed_until, added

Webhooks of all accounts are in sixteen partitions, which a search for due deliveries reads; an account's are
all in one. ``due`` has twelve digits, so that it sorts as a number; so has ``moment``, fifteen, which
counts down, so that the last attempt is the first one. ``added`` grows with each transaction that adds
deliveries: a release sees by it whether all of them were read.
"""

from typing import Any
from zlib import crc32

from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.packing import packed, unpacked
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.webhooks.webhook import Attempt, Delivery, Secret, Webhook

WEBHOOKS, DUE, ATTEMPT, EVENT = "WEBHOOKS", "DUE#", "ATTEMPT#", "EVENT#"
PARTITIONS = tuple(f"{WEBHOOKS}#{n:x}" for n in range(16))
_FAR = 10**14  # milliseconds since 1970: later than any attempt


def partition_of(account: str) -> str:
    """Return the partition of an account's webhooks."""
    return PARTITIONS[crc32(account.encode()) % len(PARTITIONS)]


def webhook_key(account: str, webhook: str) -> tuple[str, str]:
    """Return the key of a webhook."""
    return partition_of(account), f"{account}#{webhook}"


def webhook_of(item: Item) -> Webhook:
    """Return the webhook of an item."""
    fields: dict[str, Any] = {name: item.get(name) for name in Webhook._fields}
    return Webhook(**fields | {"secrets": tuple(Secret(*secret) for secret in item["secrets"])})


def webhook_item(webhook: Webhook, next_due: int | None = None) -> Item:
    """Return the item of a webhook that nobody has claimed."""
    pk, sk = webhook_key(webhook.account, webhook.id)
    own: dict[str, Any] = {**webhook._asdict(), "next_due": next_due}
    kept = {name: value for name, value in own.items() if value is not None}
    return {"pk": pk, "sk": sk, **kept, "claimed_until": 0, "added": 0}


def delivery_of(item: Item) -> Delivery:
    """Return the delivery of an item."""
    *_, due, name = item["sk"].split("#", 3)
    return Delivery(name, item["type"], unpacked(item["body"]), int(due), item["attempts"])


def delivery_item(account: str, webhook: str, delivery: Delivery) -> Item:
    """Return the item of a delivery."""
    return {
        "pk": ACCOUNT + account,
        "sk": f"{DUE}{webhook}#{delivery.due:012}#{delivery.id}",
        "type": delivery.type,
        "body": packed(delivery.body),
        "attempts": delivery.attempts,
    }


def attempt_of(item: Item) -> Attempt:
    """Return the attempt of an item."""
    *_, moment, name = item["sk"].split("#", 3)
    names = ("type", "number", "status", "error", "duration")
    kept: dict[str, Any] = {field: item.get(field) for field in names}
    return Attempt(id=name, at=_FAR - int(moment), **kept)


def attempt_item(webhook: Webhook, attempt: Attempt, expires_at: int) -> Item:
    """Return the item of an attempt to reach a webhook."""
    kept = {name: value for name, value in attempt._asdict().items() if value is not None}
    del kept["id"], kept["at"]
    sk = f"{ATTEMPT}{webhook.id}#{_FAR - attempt.at:015}#{attempt.id}"
    return {"pk": ACCOUNT + webhook.account, "sk": sk, **kept, "expires_at": expires_at}


def event_item(account: str, name: str, expires_at: int) -> Item:
    """Return the item by which an event is known as added."""
    return {"pk": ACCOUNT + account, "sk": EVENT + name, "expires_at": expires_at}


def count_item(account: str, webhooks: int) -> Item:
    """Return the item that counts an account's webhooks."""
    return {"pk": ACCOUNT + account, "sk": WEBHOOKS, "webhooks": webhooks}
