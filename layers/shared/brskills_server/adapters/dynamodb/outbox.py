"""Export and import of webhooks and their deliveries; ``webhook_items`` has the layout."""

from collections.abc import Iterator
from typing import Any

from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.sorted_table import SortedTable
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.adapters.dynamodb.watch_items import LAST
from brskills_server.adapters.dynamodb.webhook_items import (
    DUE,
    EVENT,
    count_item,
    delivery_item,
    delivery_of,
    event_item,
    partition_of,
    webhook_item,
    webhook_of,
)
from brskills_server.adapters.maintenance import StoredAccount, StoredWebhook

_PAGE = 1_000


def read_outbox(table: SortedTable, account: str) -> dict[str, Any]:
    """Return the ``webhooks`` and ``events`` of a ``StoredAccount``."""

    def within(pk: str, prefix: str) -> Iterator[Item]:
        return table.query(pk, prefix, prefix + LAST, _PAGE)

    webhooks = []
    for webhook in sorted(map(webhook_of, within(partition_of(account), account + "#"))):
        due = tuple(map(delivery_of, within(ACCOUNT + account, f"{DUE}{webhook.id}#")))
        webhooks.append(StoredWebhook(webhook, due))
    known = within(ACCOUNT + account, EVENT)
    events = {item["sk"].removeprefix(EVENT): item["expires_at"] for item in known}
    return {"webhooks": tuple(webhooks), "events": events}


def outbox_items(stored: StoredAccount) -> Iterator[Item]:
    """Return the items of an account's webhooks; the reverse of :func:`read_outbox`."""
    account = stored.account.id
    if stored.webhooks:
        yield count_item(account, len(stored.webhooks))
    for webhook, deliveries in stored.webhooks:
        yield webhook_item(webhook, min((one.due for one in deliveries), default=None))
        for delivery in deliveries:
            yield delivery_item(account, webhook.id, delivery)
    for name, expires_at in stored.events.items():
        yield event_item(account, name, expires_at)
