"""The store of webhooks and of their pending deliveries, as the rules need it.

Every method may raise ``StoreUnavailable``, and is atomic across processes. What belongs to an account is
deleted with it, what belongs to a webhook likewise. Times are Unix seconds.

``WatchStore.add_changes`` adds the deliveries of ``event.company_changed`` together with the changes: one for
each webhook that wants them.
"""

from collections.abc import Sequence
from typing import Protocol

from brskills_server.webhooks.event import Event
from brskills_server.webhooks.webhook import Attempt, Delivery, Webhook


class WebhookStore(Protocol):
    """Webhooks of accounts, and an outbox of deliveries, each of which is made once or more."""

    def add_webhook(self, webhook: Webhook, most: int) -> bool | None:
        """Store a new webhook; ``False`` if its account has ``most``, ``None`` for an unknown account."""

    def list_webhooks(self, account: str) -> list[Webhook]:
        """Return the webhooks of an account, in the order in which they were made."""

    def read_webhook(self, account: str, webhook: str) -> Webhook | None:
        """Return a webhook of an account."""

    def change_webhook(self, webhook: Webhook) -> bool:
        """Store it with its ``version``; ``False`` if the stored one is not the version before."""

    def delete_webhook(self, account: str, webhook: str) -> bool:
        """Delete a webhook with its deliveries; ``False`` if the account has none of this id."""

    def webhooks_of_all(self, after: tuple[str, str], limit: int) -> list[Webhook]:
        """Return the first webhooks of all accounts behind an account and an id, in an order of the store's.

        Those of an account follow each other. Not those of one moment.
        """

    def add_event(self, account: str, event: Event, now: int, expires_at: int, only: str = "") -> bool:
        """Add deliveries of an event to the account's webhooks that want it, due now.

        ``only``: to this active webhook alone, whatever it wants. Return ``False`` if an event of this id was
        added before, which is known until ``expires_at``, or nothing was added.
        """

    def claim_webhooks(self, now: int, until: int, most: int) -> list[Webhook]:
        """Return webhooks with due deliveries, those that wait longest first, inactive ones too.

        Nobody else is given them until ``release_webhook`` or the moment ``until``.
        """

    def claim_webhook(self, account: str, webhook: str, now: int, until: int) -> Webhook | None:
        """Return this one in the same way; ``None`` if it has no due delivery or is another's."""

    def due_deliveries(self, webhook: Webhook, now: int, limit: int) -> list[Delivery]:
        """Return the first due deliveries to a webhook, in the order of their moments."""

    def record_attempt(self, webhook: Webhook, attempt: Attempt, due: int | None, expires_at: int) -> None:
        """Record an attempt, until ``expires_at``; ``due``: when the next one is, ``None`` if there is none.

        Without effect where the webhook or the delivery is gone.
        """

    def drop_deliveries(self, webhook: Webhook, deliveries: Sequence[Delivery]) -> None:
        """Delete these deliveries to a webhook, as they were read."""

    def release_webhook(self, webhook: Webhook, until: int) -> int | None:
        """End a claim that was made until ``until``, if it is the last one.

        Return the moment of its next delivery, ``None`` where none is pending.
        """

    def list_attempts(self, webhook: Webhook, limit: int) -> Sequence[Attempt]:
        """Return the last attempts to reach a webhook, the last one first."""
