"""Claims of webhooks with due deliveries, and attempts, in the Watches table.

A release writes ``next_due`` only if ``added`` is as before the deliveries were read.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.deliveries import DynamoDeliveries
from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.values import change
from brskills_server.adapters.dynamodb.watch_items import BEHIND, LAST
from brskills_server.adapters.dynamodb.watches import EXISTS
from brskills_server.adapters.dynamodb.webhook_items import (
    ATTEMPT,
    DUE,
    PARTITIONS,
    attempt_item,
    attempt_of,
    delivery_item,
    delivery_of,
    webhook_key,
    webhook_of,
)
from brskills_server.webhooks.webhook import LONGEST_CLAIM_SECONDS, Attempt, Delivery, Webhook

_PAGE = 1_000
_UNDER_WAY = 8  # deliveries of a webhook, at most: the first due ones
_IS_DUE = "next_due <= :now AND (claimed_until <= :now OR claimed_until > :longest)"


class DynamoClaims(DynamoDeliveries):
    """``WebhookStore`` as those use it who deliver."""

    def claim_webhooks(self, now: int, until: int, most: int) -> list[Webhook]:
        """Query each partition, then UpdateItem of the due ones until there are enough."""
        moment = {"now": now, "longest": now + LONGEST_CLAIM_SECONDS}
        due = [
            item
            for partition in PARTITIONS
            for item in self._watches.query(partition, BEHIND, LAST, _PAGE, _IS_DUE, moment)
        ]
        due.sort(key=lambda item: int(item["next_due"]))
        claims = (self.claim_webhook(item["account"], item["id"], now, until) for item in due)
        return list(islice(filter(None, claims), most))

    def claim_webhook(self, account: str, webhook: str, now: int, until: int) -> Webhook | None:
        values = {"now": now, "until": until, "longest": now + LONGEST_CLAIM_SECONDS}
        parts = change("SET claimed_until = :until", {}, values, _IS_DUE)
        with suppress(ConditionFailed):
            return webhook_of(self._watches.update(webhook_key(account, webhook), parts))
        return None

    def due_deliveries(self, webhook: Webhook, now: int, limit: int) -> list[Delivery]:
        prefix = f"{DUE}{webhook.id}#"
        found = self._watches.query(ACCOUNT + webhook.account, prefix, f"{prefix}{now:012}{LAST}", limit)
        return [delivery_of(item) for item in islice(found, limit)]

    def record_attempt(self, webhook: Webhook, attempt: Attempt, due: int | None, expires_at: int) -> None:
        """Transaction after a Query, which finds what is under way among the first ones."""
        prefix = f"{DUE}{webhook.id}#"
        found = self._watches.query(ACCOUNT + webhook.account, prefix, prefix + LAST, _UNDER_WAY)
        item = next((one for one in found if delivery_of(one).id == attempt.id), None)
        if item is None:
            return
        writes = [
            self._watches.checking(webhook_key(webhook.account, webhook.id), EXISTS),
            self._watches.putting(attempt_item(webhook, attempt, expires_at), {}),
        ]
        later = None
        if due is not None:
            put_off = delivery_of(item)._replace(due=due, attempts=attempt.number)
            later = delivery_item(webhook.account, webhook.id, put_off)
            writes.append(self._watches.putting(later, EXISTS if later["sk"] == item["sk"] else {}))
        if later is None or later["sk"] != item["sk"]:
            writes.append(self._watches.deleting((item["pk"], item["sk"]), EXISTS))
        with suppress(ConditionFailed):  # the webhook or the delivery is gone
            self._table.together(*writes)

    def drop_deliveries(self, webhook: Webhook, deliveries: Sequence[Delivery]) -> None:
        items = (delivery_item(webhook.account, webhook.id, delivery) for delivery in deliveries)
        self._watches.delete_all((item["pk"], item["sk"]) for item in items)

    def release_webhook(self, webhook: Webhook, until: int) -> int | None:
        """GetItem, Query of the first delivery, UpdateItem."""
        key, prefix = webhook_key(webhook.account, webhook.id), f"{DUE}{webhook.id}#"
        item = self._watches.get(key)
        if item is None or item["claimed_until"] != until:
            return None
        first = next(self._watches.query(ACCOUNT + webhook.account, prefix, prefix + LAST, 1), None)
        due = None if first is None else delivery_of(first).due
        is_mine, values = "claimed_until = :until", {"until": until, "none": 0}
        free = "SET claimed_until = :none"
        all_read = {**values, "added": item["added"], **({} if due is None else {"due": due})}
        update = f"{free} REMOVE next_due" if due is None else f"{free}, next_due = :due"
        if self._watches.try_update(key, change(update, {}, all_read, f"{is_mine} AND added = :added")):
            return due
        with suppress(ConditionFailed):  # it is another's, or gone
            # Otherwise something was added meanwhile, and ``next_due`` is right.
            return int(self._watches.update(key, change(free, {}, values, is_mine))["next_due"])
        return None

    def list_attempts(self, webhook: Webhook, limit: int) -> Sequence[Attempt]:
        prefix = f"{ATTEMPT}{webhook.id}#"
        found = self._watches.query(ACCOUNT + webhook.account, prefix, prefix + LAST, limit)
        return [attempt_of(item) for item in islice(found, limit)]
