"""Tables in a DynamoDB of moto's (``tests.services.dynamodb``), and clients for it."""

from functools import cache
from typing import Any
from uuid import uuid4

import boto3
from botocore.config import Config

from brskills_server.gateway.template import load

THREADS = 16


def new_table(client: Any, name: str) -> str:
    """An empty table as the template describes ``Access``, ``Watches`` or ``Companies``, under a new name."""
    fresh = f"{name}-{uuid4().hex}"
    described = _described()[name]
    client.create_table(  # without its time to live, which moto does not apply
        TableName=fresh,
        BillingMode=described["BillingMode"],
        AttributeDefinitions=described["AttributeDefinitions"],
        KeySchema=described["KeySchema"],
    )
    return fresh


@cache
def _described() -> dict[str, Any]:
    tables: dict[str, Any] = load().tables
    return tables


def new_client(endpoint: str) -> Any:
    """A client that repeats nothing and has a connection for every one of ``THREADS`` threads."""
    config = Config(max_pool_connections=THREADS, retries={"total_max_attempts": 1})
    return boto3.client("dynamodb", endpoint_url=endpoint, config=config)
