"""Webhooks in the Watches table, of which ``webhook_items`` has the layout."""

from contextlib import suppress
from itertools import chain, islice

from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.adapters.dynamodb.values import assign, change
from brskills_server.adapters.dynamodb.watch_items import BEHIND, LAST
from brskills_server.adapters.dynamodb.watches import EXISTS, DynamoWatches
from brskills_server.adapters.dynamodb.webhook_items import (
    ATTEMPT,
    DUE,
    PARTITIONS,
    WEBHOOKS,
    partition_of,
    webhook_item,
    webhook_key,
    webhook_of,
)
from brskills_server.webhooks.webhook import Webhook

_PAGE = 100
_ACCOUNT = 0  # the first write of a transaction


class DynamoWebhooks(DynamoWatches):
    """The webhooks of ``WebhookStore``."""

    def add_webhook(self, webhook: Webhook, most: int) -> bool | None:
        """Transaction: check of the account, UpdateItem of the count, PutItem."""
        has_room = "attribute_not_exists(webhooks) OR webhooks < :most"
        try:
            self._table.together(
                self._table.checking(ACCOUNT + webhook.account, EXISTS),
                self._watches.updating(
                    (ACCOUNT + webhook.account, WEBHOOKS),
                    change("ADD webhooks :one", {}, {"one": 1, "most": most}, has_room),
                ),
                self._watches.putting(webhook_item(webhook), {}),
            )
        except ConditionFailed as failed:
            return None if _ACCOUNT in failed.writes else False
        return True

    def list_webhooks(self, account: str) -> list[Webhook]:
        return [webhook_of(item) for item in self._webhook_items(account)]

    def _webhook_items(self, account: str) -> list[Item]:
        """Return the items of an account's webhooks, in the order in which they were made."""
        found = self._watches.query(partition_of(account), account + "#", f"{account}#{LAST}", _PAGE)
        return sorted(found, key=lambda item: (item["created_at"], item["id"]))

    def read_webhook(self, account: str, webhook: str) -> Webhook | None:
        item = self._watches.get(webhook_key(account, webhook))
        return None if item is None else webhook_of(item)

    def change_webhook(self, webhook: Webhook) -> bool:
        fields = webhook._asdict()
        del fields["id"], fields["account"], fields["created_at"]
        update, names, values = assign(fields)
        as_read = change(update, names, {**values, "before": webhook.version - 1}, "version = :before")
        return self._watches.try_update(webhook_key(webhook.account, webhook.id), as_read)

    def delete_webhook(self, account: str, webhook: str) -> bool:
        """Transaction: DeleteItem, UpdateItem of the count; then what was left, also of an earlier try."""
        fewer = change("ADD webhooks :fewer", {}, {"fewer": -1})
        was_there = False
        with suppress(ConditionFailed):  # there is none
            self._table.together(
                self._watches.deleting(webhook_key(account, webhook), EXISTS),
                self._watches.updating((ACCOUNT + account, WEBHOOKS), fewer),
            )
            was_there = True
        for kind in (DUE, ATTEMPT):
            self._delete_range(account, f"{kind}{webhook}#")
        return was_there

    def webhooks_of_all(self, after: tuple[str, str], limit: int) -> list[Webhook]:
        """Query a partition after the other until there are enough."""
        account, webhook = after
        first, *others = PARTITIONS[PARTITIONS.index(partition_of(account)) if account else 0 :]
        found = chain(
            self._watches.query(first, f"{account}#{webhook}{BEHIND}", LAST, limit),
            *(self._watches.query(partition, BEHIND, LAST, limit) for partition in others),
        )
        return [webhook_of(item) for item in islice(found, limit)]

    def delete_webhooks(self, account: str) -> None:
        """Delete an account's webhooks alone: nothing is delivered then, and nothing added."""
        self._watches.delete_all((item["pk"], item["sk"]) for item in self._webhook_items(account))

    def _delete_range(self, account: str, prefix: str) -> None:
        """Delete an account's items whose ``sk`` has a prefix."""
        items = self._watches.query(ACCOUNT + account, prefix, prefix + LAST, _PAGE)
        while page := list(islice(items, _PAGE)):
            self._watches.delete_all((item["pk"], item["sk"]) for item in page)
