"""Use of a DynamoDB outside AWS: for the gateway and the operator's tools, never for a function."""

import os
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import get_session

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.aws import aws_client

REGION = "sa-east-1"


def set_local_aws_defaults() -> None:
    """Set the region and credentials that botocore requires, if the environment names a local store.

    Raise ``ValueError`` with the missing settings if it names neither a local store nor AWS.
    """
    session = get_session()
    try:
        region, credentials = session.get_config_variable("region"), session.get_credentials()
    except BotoCoreError as wrong:  # a profile that is not there, a file that cannot be read
        raise ValueError(f"AWS is not configured: {wrong}") from None
    if os.environ.get("AWS_ENDPOINT_URL_DYNAMODB"):
        if region is None:
            os.environ["AWS_DEFAULT_REGION"] = REGION
        if credentials is None:
            os.environ |= {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
        return
    needed = {"a region (AWS_REGION)": region, "credentials (aws configure)": credentials}
    missing = [name for name, value in needed.items() if not value]
    if missing:
        raise ValueError(
            "STORE is dynamodb: set AWS_ENDPOINT_URL_DYNAMODB to its address, or, for the tables in AWS,"
            f" {' and '.join(missing)}"
        )


def create_tables(tables: dict[str, dict[str, Any]]) -> None:
    """Create the tables that the environment's DynamoDB lacks. Raise ``StoreUnavailable``."""
    try:
        create_missing_tables(aws_client("dynamodb"), tables)
    except (BotoCoreError, ClientError) as failure:
        raise StoreUnavailable(f"its tables cannot be made: {failure}") from failure


def create_missing_tables(client: Any, tables: dict[str, dict[str, Any]]) -> None:
    """Create the tables that do not exist; ``tables``: CloudFormation properties by name."""
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
