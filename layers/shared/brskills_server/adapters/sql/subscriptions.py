"""Events of the payment processor, and the billing columns of accounts."""

import json
from contextlib import suppress

from brskills_server.accounts.account import Account
from brskills_server.accounts.billing import Billing, Subscription
from brskills_server.adapters.sql.database import Conflict, Rollback, SqlStore, Value, insert

_SET_PLAN = "UPDATE accounts SET plan = :plan, monthly_limit = :monthly_limit WHERE id = :account"
_SET_BILLING = """
UPDATE accounts
   SET customer = :customer, subscriptions = :subscriptions, billing_version = :billing_version
 WHERE id = :account AND plan = :plan_before AND billing_version = :version_before
RETURNING id"""


class SqlSubscriptions(SqlStore):
    """``SubscriptionStore`` in the tables ``events`` and ``accounts``."""

    def has_event(self, event: str) -> bool:
        return bool(self._database.run("SELECT id FROM events WHERE id = :event", event=event))

    def record_event(self, event: str, expires_at: int, before: Account, after: Account) -> bool:
        recorded = False
        with suppress(Conflict), self._database.transaction() as run:
            if not run(
                _SET_BILLING,
                account=before.id,
                plan_before=before.plan,
                version_before=before.billing.version,
                **billing_columns(after.billing),
            ):
                raise Rollback
            if after.plan != before.plan:
                run(_SET_PLAN, account=before.id, plan=after.plan, monthly_limit=after.monthly_limit)
            insert(run, "events", id=event, expires_at=expires_at)
            recorded = True
        return recorded


def billing_columns(billing: Billing) -> dict[str, Value]:
    """Return an account's columns for its billing."""
    subscriptions = {
        name: {field: getattr(kept, field) for field in ("customer", "status", "plan", "paid_back")}
        for name, kept in billing.subscriptions.items()
    }
    return {
        "customer": billing.customer,
        "subscriptions": json.dumps(subscriptions),
        "billing_version": billing.version,
    }


def read_billing(account: str, customer: str | None, subscriptions: str, version: int) -> Billing:
    """Return the billing of an account's columns."""
    kept = {name: Subscription(name, account, **fields) for name, fields in json.loads(subscriptions).items()}
    return Billing(kept, customer, version)
