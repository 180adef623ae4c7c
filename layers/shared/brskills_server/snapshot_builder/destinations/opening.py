"""The store's place, by the environment in which the service is configured too."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import boto3

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.client import dynamodb_client
from brskills_server.adapters.dynamodb.local import set_local_aws_defaults
from brskills_server.adapters.postgresql import checked_address
from brskills_server.snapshot_builder.destinations.bucket import Bucket
from brskills_server.snapshot_builder.destinations.destination import Destination
from brskills_server.snapshot_builder.destinations.dynamodb import DynamoDestination
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from brskills_server.snapshot_builder.destinations.table_fillers import BatchFiller, ImportFiller
from brskills_server.snapshot_builder.errors import SnapshotError

__all__ = ["open_bucket", "open_destination"]

_SECONDS = 30.0  # for an answer of DynamoDB's: nobody waits for the builder


def open_destination(environment: Mapping[str, str] = os.environ) -> Destination:
    """The place in the store that ``STORE`` names; ``SnapshotError`` or ``ValueError`` where it cannot be one.

    In DynamoDB: ``COMPANIES_TABLE``, ``REGISTRY_TABLES`` (what the names of the two tables begin with) and
    ``REGISTRY_BUCKET``, without which rows are written instead of imported.
    """
    store = environment.get("STORE", "")
    if store.startswith("postgresql:"):
        checked_address(store)  # else it is told with its password where it cannot be
        return PostgresDestination(store)
    if store != "dynamodb":
        raise SnapshotError("REGISTRY_COPY=store needs STORE to be postgresql://… or dynamodb")
    missing = [name for name in ("COMPANIES_TABLE", "REGISTRY_TABLES") if not environment.get(name)]
    if missing:
        raise SnapshotError(f"REGISTRY_COPY=store with STORE=dynamodb needs {' and '.join(missing)}")
    try:
        set_local_aws_defaults()
        client = dynamodb_client(_SECONDS)
    except (ValueError, StoreUnavailable) as failure:
        raise SnapshotError(str(failure)) from failure
    bucket = environment.get("REGISTRY_BUCKET", "")
    filling = ImportFiller(client, _s3(), bucket) if bucket else BatchFiller(client)
    return DynamoDestination(client, environment["COMPANIES_TABLE"], environment["REGISTRY_TABLES"], filling)


def open_bucket(environment: Mapping[str, str] = os.environ) -> Bucket | None:
    """Where months' files are kept for the next build, if ``REGISTRY_BUCKET`` names a bucket."""
    bucket = environment.get("REGISTRY_BUCKET", "")
    return Bucket(_s3(), bucket) if bucket else None


def _s3() -> Any:
    return boto3.client("s3")
