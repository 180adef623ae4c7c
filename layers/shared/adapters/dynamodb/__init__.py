"""Both stores in DynamoDB: a table each."""

from adapters.stores import Stores, StoreSettings

__all__ = ["open_stores"]


def open_stores(settings: StoreSettings) -> Stores:
    """The stores over one client: a second would cost a cold start some 20 ms."""
    from adapters.dynamodb.access import DynamoAccess
    from adapters.dynamodb.client import dynamodb_client
    from adapters.dynamodb.companies import DynamoCompanies

    client = dynamodb_client(settings.store_seconds)
    return Stores(
        DynamoAccess(client, settings.access_table),
        DynamoCompanies(client, settings.companies_table),
        prepare=lambda: None,  # the template makes the tables, or ``adapters.dynamodb.tables``
        tidy=lambda _now: None,  # DynamoDB does so by itself
    )
