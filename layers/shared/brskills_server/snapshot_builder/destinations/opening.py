"""Opening the store for snapshots that the environment configures, by the variables of the service."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import boto3

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.client import dynamodb_client
from brskills_server.adapters.dynamodb.local import set_local_aws_defaults
from brskills_server.adapters.postgresql import checked_address
from brskills_server.snapshot_builder.destinations.bucket import Bucket
from brskills_server.snapshot_builder.destinations.destination import Destination
from brskills_server.snapshot_builder.destinations.dynamodb import DynamoDestination
from brskills_server.snapshot_builder.destinations.index_files import IndexFiles
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from brskills_server.snapshot_builder.destinations.table_fillers import BatchFiller, ImportFiller
from brskills_server.snapshot_builder.errors import SnapshotError

_TIMEOUT_SECONDS = 30.0  # of DynamoDB; a build is no look-up with a caller waiting


def open_destination(
    tables: str, bucket: str, indexes: str = "", environment: Mapping[str, str] = os.environ
) -> Destination:
    """Return the store that ``STORE`` names. Raise `SnapshotError` or `ValueError` if it cannot be used.

    In DynamoDB it needs ``COMPANIES_TABLE`` and ``tables``, the prefix of the two tables' names; without a
    ``bucket`` rows are written in batches instead of imported. ``indexes``: the folder with the search
    function's indexes, if there is one.
    """
    store = environment.get("STORE", "")
    if store.startswith("postgresql:"):
        checked_address(store)  # psycopg's message for an invalid one would contain its password
        return PostgresDestination(store)
    if store != "dynamodb":
        raise SnapshotError("REGISTRY_COPY=store needs STORE to be postgresql://… or dynamodb")
    given = {"COMPANIES_TABLE": environment.get("COMPANIES_TABLE"), "--tables": tables}
    missing = [name for name, value in given.items() if not value]
    if missing:
        raise SnapshotError(f"REGISTRY_COPY=store with STORE=dynamodb needs {' and '.join(missing)}")
    try:
        set_local_aws_defaults()
        client = dynamodb_client(_TIMEOUT_SECONDS)
    except (ValueError, StoreUnavailable) as error:
        raise SnapshotError(str(error)) from error
    filler = ImportFiller(client, _s3(), bucket) if bucket else BatchFiller(client)
    files = IndexFiles(Path(indexes)) if indexes else None
    return DynamoDestination(client, environment["COMPANIES_TABLE"], tables, filler, indexes=files)


def open_bucket(bucket: str) -> Bucket | None:
    """Return the bucket of this name, if there is one."""
    return Bucket(_s3(), bucket) if bucket else None


def _s3() -> Any:
    return boto3.client("s3")
