"""DynamoDB: the client, and what a table's faults mean to us."""

from storage.table import Item, StoreUnavailable, Table, Unmet, dynamodb_client

__all__ = ["Item", "StoreUnavailable", "Table", "Unmet", "dynamodb_client"]
