"""Deliveries as they are added to the outbox of webhooks, in the Watches table.

The transaction that adds them also writes ``next_due`` and ``added`` of their webhook.
"""

from collections.abc import Callable, Iterable
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.adapters.dynamodb.values import change
from brskills_server.adapters.dynamodb.watches import EXISTS
from brskills_server.adapters.dynamodb.webhook_items import delivery_item, event_item, webhook_of
from brskills_server.adapters.dynamodb.webhooks import DynamoWebhooks
from brskills_server.webhooks.event import Event
from brskills_server.webhooks.webhook import Delivery

_TRIES = 10
_ACCOUNT, _EVENT = 0, 1  # among the writes of a transaction

Wake = Callable[[str, str], None]
"""Called with an account and a webhook whose first due delivery was added at this moment."""
Called = list[tuple[Item, list[Delivery]]]
"""Items of webhooks, each with the deliveries that are to be added."""


def wake_nobody(_account: str, _webhook: str) -> None:
    """Do nothing: who delivers looks by itself."""


class DynamoDeliveries(DynamoWebhooks):
    """``WebhookStore.add_event``, and what adds deliveries to a transaction."""

    def __init__(self, client: Any, access_table: str, watches_table: str, wake: Wake = wake_nobody) -> None:
        super().__init__(client, access_table, watches_table)
        self._wake = wake

    def add_event(self, account: str, event: Event, now: int, expires_at: int, only: str = "") -> bool:
        """Transaction after a Query of the account's webhooks."""
        is_unknown = change("", {}, {"now": now}, "attribute_not_exists(pk) OR expires_at <= :now")
        for _ in range(_TRIES):
            called = self._called(account, [event], now, only)
            if not called:
                return False
            try:
                self._table.together(
                    self._table.checking(ACCOUNT + account, EXISTS),
                    self._watches.putting(event_item(account, event.id, expires_at), is_unknown),
                    *self._additions(called, now),
                )
            except ConditionFailed as failed:
                if failed.writes & {_ACCOUNT, _EVENT}:
                    return False
                continue  # a webhook was deleted
            self._wake_all(called, now)
            return True
        raise StoreUnavailable("the webhooks change too quickly")

    def _called(self, account: str, events: Iterable[Event], now: int, only: str = "") -> Called:
        """Return an account's webhooks that get some of the events; ``only``: as of ``add_event``."""
        items = self._webhook_items(account)
        due = [Delivery(*event, due=now) for event in events] if items else []
        called = []
        for item in items:
            webhook = webhook_of(item)
            if only:
                wanted = due if webhook.id == only and not webhook.inactive else []
            else:
                wanted = [one for one in due if webhook.wants(one.type)]
            if wanted:
                called.append((item, wanted))
        return called

    def _additions(self, called: Called, now: int) -> list[dict[str, Any]]:
        """Return the writes of a transaction that add deliveries."""
        writes = []
        for item, deliveries in called:
            update = "SET next_due = :due ADD added :more"
            values = {"due": min(item.get("next_due", now), now), "more": 1}
            key = item["pk"], item["sk"]
            writes.append(self._watches.updating(key, change(update, {}, values, "attribute_exists(pk)")))
            made = (delivery_item(item["account"], item["id"], delivery) for delivery in deliveries)
            writes += (self._watches.putting(one, {}) for one in made)
        return writes

    def _wake_all(self, called: Called, now: int) -> None:
        """Wake those that had no due delivery: the others were woken by it."""
        for item, _ in called:
            if item.get("next_due", now + 1) > now:
                self._wake(item["account"], item["id"])
