"""Filling a new DynamoDB table with a snapshot's rows: by an import from S3, or by writing batches.

An import uses no write capacity and costs about a tenth; writing is for DynamoDBs without imports.
"""

import base64
import gzip
import json
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any

from brskills_server.adapters.dynamodb.packing import packed
from brskills_server.adapters.dynamodb.table import Table
from brskills_server.snapshot_builder.errors import SnapshotError

KEY = "pk"
Rows = Iterable[tuple[str, str]]

_TABLE: Any = {
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": KEY, "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": KEY, "KeyType": "HASH"}],
}
_OBJECT_ROWS = 1_000_000  # DynamoDB imports objects in parallel, best of some millions of small items
_TIMEOUT_SECONDS = 6 * 3600.0


def create_table(client: Any, table: str) -> None:
    """Create an empty table, and wait until it can be written."""
    client.create_table(TableName=table, **_TABLE)
    client.get_waiter("table_exists").wait(TableName=table, WaiterConfig={"Delay": 1, "MaxAttempts": 120})


@dataclass(frozen=True, slots=True)
class BatchFiller:
    """``BatchWriteItem`` of 25 rows at a time, about a thousand rows a second."""

    client: Any

    def fill(self, table: str, rows: Rows) -> int:
        """Create the table and write the rows. Return their number."""
        create_table(self.client, table)
        count = 0
        with Table(self.client, table).filling() as put:
            for key, body in rows:
                put({KEY: key, "body": packed(body)})
                count += 1
        return count


@dataclass(frozen=True, slots=True)
class ImportFiller:
    """``ImportTable`` from objects below ``import/`` in a bucket, which are deleted afterwards.

    DynamoDB hashes keys to partitions, so that sorted rows make none of them hot.
    """

    client: Any
    s3: Any
    bucket: str
    poll_seconds: float = 5.0

    def fill(self, table: str, rows: Rows) -> int:
        """Upload the rows, import them and wait until that is done. Return how many have arrived."""
        prefix = f"import/{table}/"
        self._clear(prefix)  # of an interrupted import
        self._write(prefix, rows)
        started = self.client.import_table(
            S3BucketSource={"S3Bucket": self.bucket, "S3KeyPrefix": prefix},
            InputFormat="DYNAMODB_JSON",
            InputCompressionType="GZIP",
            TableCreationParameters=_TABLE | {"TableName": table},
        )
        done = self._wait(started["ImportTableDescription"]["ImportArn"])
        self._clear(prefix)
        return int(done["ImportedItemCount"])

    def _wait(self, arn: str) -> Any:
        deadline = time.monotonic() + _TIMEOUT_SECONDS
        while True:
            found = self.client.describe_import(ImportArn=arn)["ImportTableDescription"]
            if found["ImportStatus"] == "COMPLETED":
                return found
            if found["ImportStatus"] != "IN_PROGRESS":
                why = [found.get("FailureCode", ""), found.get("FailureMessage", "")]
                raise SnapshotError(f"the import ended as {found['ImportStatus']}: {' '.join(why)}")
            if time.monotonic() > deadline:
                raise SnapshotError("the import has not finished in six hours")
            time.sleep(self.poll_seconds)

    def _write(self, prefix: str, rows: Rows) -> None:
        rest = iter(rows)
        for number, first in enumerate(rest):
            with tempfile.TemporaryFile() as file:
                _write_object(file, chain([first], islice(rest, _OBJECT_ROWS - 1)))
                file.seek(0)
                self.s3.upload_fileobj(file, self.bucket, f"{prefix}{number:05}.json.gz")

    def _clear(self, prefix: str) -> None:
        for page in self.s3.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=prefix):
            for found in page.get("Contents", ()):
                self.s3.delete_object(Bucket=self.bucket, Key=found["Key"])


def _write_object(file: IO[bytes], rows: Rows) -> None:
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1, mtime=0) as packing:
        for key, body in rows:
            packing.write(f'{{"Item":{{"{KEY}":{{"S":"{key}"}},"body":{_value(packed(body))}}}}}\n'.encode())


def _value(body: str | bytes) -> str:
    if isinstance(body, bytes):
        return f'{{"B":"{base64.b64encode(body).decode()}"}}'
    return f'{{"S":{json.dumps(body, ensure_ascii=False)}}}'
