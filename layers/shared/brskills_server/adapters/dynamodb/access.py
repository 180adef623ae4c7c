"""Both stores over one client."""

from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.adapters.dynamodb.call_counts import DynamoCallCounts
from brskills_server.adapters.dynamodb.client import dynamodb_client
from brskills_server.adapters.dynamodb.companies import DynamoCompanies
from brskills_server.adapters.dynamodb.day_counts import DynamoHistory, DynamoWindows
from brskills_server.adapters.dynamodb.deliveries import Wake, wake_nobody
from brskills_server.adapters.dynamodb.feeds import DynamoFeeds
from brskills_server.adapters.dynamodb.grants import DynamoGrants
from brskills_server.adapters.dynamodb.idempotency_records import DynamoIdempotencyRecords
from brskills_server.adapters.dynamodb.subscriptions import DynamoSubscriptions
from brskills_server.adapters.stores import AccessStore, Stores, StoreSettings


class DynamoAccess(
    DynamoCallCounts,
    DynamoIdempotencyRecords,
    DynamoWindows,
    DynamoSubscriptions,
    DynamoGrants,
    DynamoHistory,
    DynamoFeeds,
    AccessStore,
):
    """See ``items``, ``watch_items`` and ``webhook_items`` for the layouts of the tables."""

    def ping(self) -> None:
        self._table.get("STATUS")

    def delete_account(self, account: str) -> Account | None:
        """Delete webhooks, watches and feed before the account, and what was added until then."""
        self._delete_watching(account)
        deleted = super().delete_account(account)
        self._delete_watching(account)
        return deleted

    def _delete_watching(self, account: str) -> None:
        self.delete_webhooks(account)
        self.delete_watches(account)


def open_stores(settings: StoreSettings, wake: Wake = wake_nobody) -> Stores:
    """Return the stores over one client: a second would add some 20 ms to a cold start."""
    client = dynamodb_client(settings.store_seconds)
    access, watches, companies = settings.access_table, settings.watches_table, settings.companies_table

    def open_maintenance() -> Any:
        # No call needs it.
        from brskills_server.adapters.dynamodb.maintenance import DynamoMaintenance

        return DynamoMaintenance(client, access, watches, companies)

    return Stores(
        DynamoAccess(client, access, watches, wake), DynamoCompanies(client, companies), open_maintenance
    )
