"""Both stores over one client."""

from typing import Any

from brskills_server.adapters.dynamodb.call_counts import DynamoCallCounts
from brskills_server.adapters.dynamodb.client import dynamodb_client
from brskills_server.adapters.dynamodb.companies import DynamoCompanies
from brskills_server.adapters.dynamodb.day_counts import DynamoHistory, DynamoWindows
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
    AccessStore,
):
    """See ``items`` for the layout of the table."""

    def ping(self) -> None:
        self._table.get("STATUS")


def open_stores(settings: StoreSettings) -> Stores:
    """Return the stores over one client: a second would add some 20 ms to a cold start."""
    client = dynamodb_client(settings.store_seconds)
    tables = settings.access_table, settings.companies_table

    def open_maintenance() -> Any:
        # No call needs it.
        from brskills_server.adapters.dynamodb.maintenance import DynamoMaintenance

        return DynamoMaintenance(client, *tables)

    return Stores(DynamoAccess(client, tables[0]), DynamoCompanies(client, tables[1]), open_maintenance)
