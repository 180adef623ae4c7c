"""Create the tables that the template describes."""

from typing import Any


def create_tables(client: Any, tables: dict[str, dict[str, Any]]) -> None:
    """Create every table that does not exist; ``tables`` holds CloudFormation's properties by table name."""
    for name, properties in tables.items():
        try:
            client.create_table(
                TableName=name,
                BillingMode=properties["BillingMode"],
                AttributeDefinitions=properties["AttributeDefinitions"],
                KeySchema=properties["KeySchema"],
            )
        except client.exceptions.ResourceInUseException:
            continue
        client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
        client.update_time_to_live(
            TableName=name, TimeToLiveSpecification=properties["TimeToLiveSpecification"]
        )
