"""Both stores in DynamoDB: a table each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brskills_server.adapters.stores import Stores, StoreSettings

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from brskills_server.adapters.maintenance import Maintenance

__all__ = ["open_stores"]


def open_stores(settings: StoreSettings) -> Stores:
    """The stores over one client: a second would cost a cold start some 20 ms."""
    from brskills_server.adapters.dynamodb.access import DynamoAccess
    from brskills_server.adapters.dynamodb.client import dynamodb_client
    from brskills_server.adapters.dynamodb.companies import DynamoCompanies

    client = dynamodb_client(settings.store_seconds)
    return Stores(
        DynamoAccess(client, settings.access_table),
        DynamoCompanies(client, settings.companies_table),
        lambda: _upkeep(client, settings),
    )


def _upkeep(client: DynamoDBClient, settings: StoreSettings) -> Maintenance:
    from brskills_server.adapters.dynamodb.maintenance import DynamoMaintenance

    return DynamoMaintenance(client, settings.access_table, settings.companies_table)
