"""The store of accounts with everything that belongs to them, in one table."""

from brskills_server.adapters.dynamodb.call_counts import DynamoCallCounts
from brskills_server.adapters.dynamodb.day_counts import DynamoHistory, DynamoWindows
from brskills_server.adapters.dynamodb.grants import DynamoGrants
from brskills_server.adapters.dynamodb.idempotency_records import DynamoIdempotencyRecords
from brskills_server.adapters.dynamodb.subscriptions import DynamoSubscriptions
from brskills_server.adapters.stores import AccessStore


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
