"""Pending deliveries to webhooks in SQL, an outbox, and the attempts to make them.

Adding a delivery also writes ``next_due`` of its webhook, and a release locks the webhook before it reads
the pending deliveries, so that none is overlooked. Claims and attempts need not wait for the disk:
what a power failure undoes is delivered again.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from brskills_server.adapters.maintenance import StoredAccount, StoredWebhook
from brskills_server.adapters.sql.accounts import LOCK_ACCOUNT
from brskills_server.adapters.sql.database import (
    Conflict,
    Rollback,
    Run,
    Value,
    insert,
    insert_rows,
    places_of,
)
from brskills_server.adapters.sql.webhooks import (
    NEVER,
    WEBHOOK,
    SqlWebhookRecords,
    insert_webhook,
    webhook_of,
    webhooks_in,
)
from brskills_server.webhooks.event import Event
from brskills_server.webhooks.webhook import LONGEST_CLAIM_SECONDS, Attempt, Delivery, Webhook

_IS_DUE = "next_due <= :now AND (claimed_until <= :now OR claimed_until > :now + :longest)"
_ANY_DUE = f"SELECT 1 FROM webhooks WHERE {_IS_DUE} LIMIT 1"  # noqa: S608, our own words
_CLAIM = f"""
UPDATE webhooks SET claimed_until = :until
 WHERE id IN (SELECT id FROM webhooks WHERE {_IS_DUE} ORDER BY next_due LIMIT :most{{skip_locked}})
RETURNING {WEBHOOK}"""  # noqa: S608, our own words
_CLAIM_ONE = f"""
UPDATE webhooks SET claimed_until = :until
 WHERE account = :account AND id = :webhook AND {_IS_DUE} RETURNING {WEBHOOK}"""  # noqa: S608, our own words
_RELEASE = """
UPDATE webhooks SET claimed_until = 0 WHERE id = :webhook AND claimed_until = :until RETURNING id"""
_SET_NEXT = f"""
UPDATE webhooks
   SET next_due = COALESCE((SELECT MIN(due) FROM deliveries WHERE webhook = :webhook), {NEVER})
 WHERE id = :webhook RETURNING next_due"""  # noqa: S608, our own number
_WAKE = "UPDATE webhooks SET next_due = :now WHERE id = :webhook AND next_due > :now"

_DELIVERY = "id, type, body, due, attempts"
_DUE = f"""
SELECT {_DELIVERY} FROM deliveries WHERE webhook = :webhook AND due <= :now ORDER BY due, id LIMIT :most"""  # noqa: S608, only names of columns
_ALL = f"SELECT {_DELIVERY} FROM deliveries WHERE webhook = :webhook ORDER BY due, id"  # noqa: S608, only names of columns
_ADD = f"INSERT INTO deliveries (webhook, {_DELIVERY}) VALUES"
_ONCE = " ON CONFLICT (webhook, id) DO NOTHING"

_ATTEMPT = "id, type, number, at, status, error, duration"
_LAST = f"""
SELECT {_ATTEMPT} FROM attempts WHERE webhook = :webhook ORDER BY at DESC, id LIMIT :most"""  # noqa: S608, only names of columns


class SqlDeliveries(SqlWebhookRecords):
    """The outbox of ``WebhookStore``, in the tables ``deliveries`` and ``attempts``."""

    def add_event(self, account: str, event: Event, now: int, expires_at: int, only: str = "") -> bool:
        """Run one transaction, which locks the account."""
        added = False
        with suppress(Conflict), self._database.transaction() as run:
            if not run(LOCK_ACCOUNT, account=account):
                raise Rollback
            insert(run, "account_events", account=account, id=event.id, expires_at=expires_at)
            if not insert_deliveries(run, account, [event], now, only):
                raise Rollback
            added = True
        return added

    def claim_webhooks(self, now: int, until: int, most: int) -> list[Webhook]:
        """Read first: mostly there is none, and a write has to wait for its turn."""
        moment = {"now": now, "longest": LONGEST_CLAIM_SECONDS}
        if not self._counters.run(_ANY_DUE, **moment):
            return []
        statement = _CLAIM.format(skip_locked=self._counters.skip_locked)
        return [webhook_of(row) for row in self._counters.run(statement, **moment, until=until, most=most)]

    def claim_webhook(self, account: str, webhook: str, now: int, until: int) -> Webhook | None:
        moment = {"now": now, "longest": LONGEST_CLAIM_SECONDS, "until": until}
        rows = self._counters.run(_CLAIM_ONE, **moment, account=account, webhook=webhook)
        return webhook_of(rows[0]) if rows else None

    def due_deliveries(self, webhook: Webhook, now: int, limit: int) -> list[Delivery]:
        rows = self._counters.run(_DUE, webhook=webhook.id, now=now, most=limit)
        return [Delivery(*row) for row in rows]

    def record_attempt(self, webhook: Webhook, attempt: Attempt, due: int | None, expires_at: int) -> None:
        """Run one transaction."""
        delivery: dict[str, Value] = {"webhook": webhook.id, "id": attempt.id}
        which = "webhook = :webhook AND id = :id"
        with suppress(Conflict), self._counters.transaction() as run:  # a conflict: the webhook is gone
            if due is None:
                run(f"DELETE FROM deliveries WHERE {which}", **delivery)  # noqa: S608, our own words
            else:
                changed = f"UPDATE deliveries SET attempts = :number, due = :due WHERE {which}"  # noqa: S608, our own words
                run(changed, **delivery, number=attempt.number, due=due)
            insert(run, "attempts", webhook=webhook.id, expires_at=expires_at, **attempt._asdict())

    def drop_deliveries(self, webhook: Webhook, deliveries: Sequence[Delivery]) -> None:
        for places, values in places_of([(delivery.id,) for delivery in deliveries]):
            these = f"DELETE FROM deliveries WHERE webhook = :webhook AND id IN (VALUES {places})"  # noqa: S608, our own names
            self._counters.run(these, webhook=webhook.id, **values)

    def release_webhook(self, webhook: Webhook, until: int) -> int | None:
        """Run one transaction, which locks the webhook."""
        due = NEVER
        with self._counters.transaction() as run:
            if not run(_RELEASE, webhook=webhook.id, until=until):
                raise Rollback
            ((due,),) = run(_SET_NEXT, webhook=webhook.id)
        return None if due == NEVER else due

    def list_attempts(self, webhook: Webhook, limit: int) -> Sequence[Attempt]:
        return [Attempt(*row) for row in self._database.run(_LAST, webhook=webhook.id, most=limit)]


def insert_deliveries(run: Run, account: str, events: Iterable[Event], now: int, only: str = "") -> bool:
    """Insert deliveries to the webhooks of a locked account; ``only``: as in ``WebhookStore.add_event``.

    Return whether there is one.
    """
    webhooks = webhooks_in(run, account)
    rows: list[Sequence[Value]] = []
    for event in events:
        wanted = (
            webhook.id
            for webhook in webhooks
            if (webhook.id == only and not webhook.inactive if only else webhook.wants(event.type))
        )
        rows += ((webhook, *Delivery(*event, due=now)) for webhook in wanted)
    insert_rows(run, _ADD, rows, _ONCE)
    for webhook in sorted({str(row[0]) for row in rows}):
        run(_WAKE, webhook=webhook, now=now)
    return bool(rows)


def outbox_of(run: Run, account: str) -> dict[str, Any]:
    """Return the ``webhooks`` and ``events`` of a ``StoredAccount``."""
    webhooks = []
    for webhook in sorted(webhooks_in(run, account)):
        due = tuple(Delivery(*row) for row in run(_ALL, webhook=webhook.id))
        webhooks.append(StoredWebhook(webhook, due))
    events = run("SELECT id, expires_at FROM account_events WHERE account = :account", account=account)
    return {"webhooks": tuple(webhooks), "events": dict(events)}


def insert_outbox(run: Run, stored: StoredAccount) -> None:
    """Insert the webhooks of a stored account, and their pending deliveries."""
    for webhook, deliveries in stored.webhooks:
        insert_webhook(run, webhook, min((one.due for one in deliveries), default=NEVER))
        insert_rows(run, _ADD, [(webhook.id, *one) for one in deliveries])
    for name, ends in stored.events.items():
        insert(run, "account_events", account=stored.account.id, id=name, expires_at=ends)
