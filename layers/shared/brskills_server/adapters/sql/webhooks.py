"""Webhooks in SQL."""

import json
from collections.abc import Sequence
from typing import Any

from brskills_server.adapters.sql.accounts import LOCK_ACCOUNT
from brskills_server.adapters.sql.database import Rollback, Row, Run, SqlStore, Value, insert
from brskills_server.webhooks.webhook import Secret, Webhook

NEVER = 2**62
"""``next_due`` where no delivery is pending."""

WEBHOOK = "id, account, url, events, description, secrets, created_at, inactive, failing_since, version"
_OF_ACCOUNT = f"SELECT {WEBHOOK} FROM webhooks WHERE account = :account"  # noqa: S608, only names of columns
_IN_ORDER = f"{_OF_ACCOUNT} ORDER BY created_at, id"
_ONE = f"{_OF_ACCOUNT} AND id = :webhook"
_OF_ALL = f"""
SELECT {WEBHOOK} FROM webhooks WHERE (account, id) > (:account, :webhook)
 ORDER BY account, id LIMIT :most"""  # noqa: S608, only names of columns
_CHANGE = """
UPDATE webhooks
   SET url = :url, events = :events, description = :description, secrets = :secrets, inactive = :inactive,
       failing_since = :failing_since, version = :version
 WHERE account = :account AND id = :id AND version = :version - 1 RETURNING id"""


class SqlWebhookRecords(SqlStore):
    """The webhooks of ``WebhookStore``, in the table of this name."""

    def add_webhook(self, webhook: Webhook, most: int) -> bool | None:
        """Run one transaction, which locks the account."""
        added: bool | None = None
        with self._database.transaction() as run:
            if not run(LOCK_ACCOUNT, account=webhook.account):
                raise Rollback
            count = "SELECT COUNT(*) FROM webhooks WHERE account = :account"
            ((taken,),) = run(count, account=webhook.account)
            added = taken < most
            if added:
                insert_webhook(run, webhook, NEVER)
        return added

    def list_webhooks(self, account: str) -> list[Webhook]:
        return [webhook_of(row) for row in self._database.run(_IN_ORDER, account=account)]

    def read_webhook(self, account: str, webhook: str) -> Webhook | None:
        rows = self._database.run(_ONE, account=account, webhook=webhook)
        return webhook_of(rows[0]) if rows else None

    def change_webhook(self, webhook: Webhook) -> bool:
        values = _columns(webhook)
        del values["created_at"]
        return bool(self._database.run(_CHANGE, **values))

    def delete_webhook(self, account: str, webhook: str) -> bool:
        statement = "DELETE FROM webhooks WHERE account = :account AND id = :webhook RETURNING id"
        return bool(self._database.run(statement, account=account, webhook=webhook))

    def webhooks_of_all(self, after: tuple[str, str], limit: int) -> list[Webhook]:
        account, webhook = after
        rows = self._database.run(_OF_ALL, account=account, webhook=webhook, most=limit)
        return [webhook_of(row) for row in rows]


def webhooks_in(run: Run, account: str) -> list[Webhook]:
    """Return the webhooks of an account, in the order in which they were made."""
    return [webhook_of(row) for row in run(_IN_ORDER, account=account)]


def insert_webhook(run: Run, webhook: Webhook, next_due: int) -> None:
    """Insert a webhook of a stored account."""
    insert(run, "webhooks", **_columns(webhook), next_due=next_due, claimed_until=0)


def webhook_of(row: Row) -> Webhook:
    """Return the webhook of a row of ``WEBHOOK``."""
    name, account, url, events, description, secrets, *others = row
    kept = tuple(Secret(*secret) for secret in json.loads(secrets))
    return Webhook(name, account, url, tuple(json.loads(events)), description, kept, *others)


def _columns(webhook: Webhook) -> dict[str, Any]:
    values: dict[str, Value | Sequence[Any]] = webhook._asdict()
    return {**values, "events": json.dumps(webhook.events), "secrets": json.dumps(webhook.secrets)}
