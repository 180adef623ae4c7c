"""Both stores in DynamoDB: a table each."""

from typing import Any

from brskills_server.adapters.stores import Stores, StoreSettings


def open_stores(settings: StoreSettings) -> Stores:
    """Return the stores over one client: a second would add some 20 ms to a cold start."""
    # botocore is imported only where the store is opened.
    from brskills_server.adapters.dynamodb.access import DynamoAccess
    from brskills_server.adapters.dynamodb.client import dynamodb_client
    from brskills_server.adapters.dynamodb.companies import DynamoCompanies

    client = dynamodb_client(settings.store_seconds)

    def open_maintenance() -> Any:
        # No call needs it, nor the eleven data classes of its interface.
        from brskills_server.adapters.dynamodb.maintenance import DynamoMaintenance

        return DynamoMaintenance(client, settings.access_table, settings.companies_table)

    return Stores(
        DynamoAccess(client, settings.access_table),
        DynamoCompanies(client, settings.companies_table),
        open_maintenance,
    )
