"""Months in DynamoDB, as ``brskills_server.adapters.snapshots.dynamodb`` reads them: two tables that are used in turn.

Beside the item that names the table in place each table has an item that says which month is in it; that is
written when the month is whole, and deleted before its table is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.adapters.dynamodb.values import decode_item, encode_item
from brskills_server.adapters.snapshots.dynamodb import IN_PLACE, packed, unpacked
from brskills_server.snapshot_builder.destinations.destination import KeptSnapshot, Report, checked_name
from brskills_server.snapshot_builder.destinations.rows import SnapshotRows
from brskills_server.snapshot_builder.destinations.table_fillers import KEY, TableFiller
from brskills_server.snapshot_builder.errors import SnapshotError

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

__all__ = ["DynamoDestination"]

_MOST_SECONDS = 6 * 3600.0
_BATCH = 100  # the most that BatchGetItem takes


class DynamoDestination:
    """``brskills_server.snapshot_builder.destinations.destination.Destination`` in the tables ``{prefix}-a`` and ``{prefix}-b``.

    Adding a month first deletes the one that is not in place: until it is whole there is no way back.
    ``settle_seconds``: how long after a switch somebody may still read the table that was in place before.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        companies_table: str,
        prefix: str,
        filling: TableFiller,
        look_seconds: float = 5.0,
        settle_seconds: float = 60.0,
    ) -> None:
        self._client = client
        self._items = Table(client, companies_table)
        self._tables = (f"{prefix}-a", f"{prefix}-b")
        self._filling = filling
        self._look_seconds = look_seconds
        self._settle_seconds = settle_seconds

    def snapshots(self) -> list[KeptSnapshot]:
        """Three reads."""
        place = self._get(IN_PLACE) or {}
        kept = [item for table in self._tables if (item := self._get(_item_of(table)))]
        months = [
            KeptSnapshot(item["name"], date.fromisoformat(item["day"]), item["table"] == place.get("table"))
            for item in kept
        ]
        return sorted(months, key=lambda month: (month.day, month.name), reverse=True)

    def add(self, file: Path, name: str, report: Report) -> None:
        """Delete the table that is not in place, fill it anew, and compare."""
        checked_name(name)
        place = self._get(IN_PLACE)
        if place and place["name"] == name:
            raise SnapshotError(f"the month {name} is in place")
        table = next(table for table in self._tables if not place or table != place["table"])
        rows = SnapshotRows(file, report)
        with _translated():
            if place:
                time.sleep(max(0.0, place["switched_at"] + self._settle_seconds - time.time()))
            self._forget(table)
            arrived = self._filling.fill(table, rows)
            if arrived != rows.count:
                raise SnapshotError(f"{table} took {arrived} of {rows.count} rows")
            self._compare(table, rows)
            self._items.put({"pk": _item_of(table), "table": table, "name": name, **rows.facts})

    def switch(self, name: str) -> None:
        """One PutItem."""
        found = self._holding(name)
        if not found:
            raise SnapshotError(f"there is no month {name}")
        with _translated():
            self._items.put({**found, "pk": IN_PLACE, "switched_at": int(time.time())})

    def remove(self, name: str) -> None:
        """Delete the table."""
        place = self._get(IN_PLACE)
        if place and place["name"] == name:
            raise SnapshotError(f"the month {name} is in place")
        if found := self._holding(name):
            with _translated():
                self._forget(found["table"])

    def _holding(self, name: str) -> Item | None:
        items = (self._get(_item_of(table)) for table in self._tables)
        return next((item for item in items if item and item["name"] == name), None)

    def _get(self, key: str) -> Item | None:
        with _translated():
            return self._items.get(key)

    def _forget(self, table: str) -> None:
        """Delete a table; one that is being imported into can only be deleted when that has ended."""
        self._items.delete(_item_of(table))
        deadline = time.monotonic() + _MOST_SECONDS
        while (status := self._status(table)) and time.monotonic() < deadline:
            if status == "ACTIVE":
                self._client.delete_table(TableName=table)
            else:
                time.sleep(self._look_seconds)
        if status:
            raise SnapshotError(f"{table} is {status} and cannot be deleted")

    def _status(self, table: str) -> str | None:
        try:
            return str(self._client.describe_table(TableName=table)["Table"]["TableStatus"])
        except self._client.exceptions.ResourceNotFoundException:
            return None

    def _compare(self, table: str, rows: SnapshotRows) -> None:
        keys = list(rows.sample)
        for start in range(0, len(keys), _BATCH):
            asked = dict.fromkeys(keys[start : start + _BATCH])
            for item in self._read(table, list(asked)):
                asked[item["pk"]] = unpacked(item["body"])
            if any(body != unpacked(packed(rows.sample[key])) for key, body in asked.items()):
                raise SnapshotError(f"{table} gives other rows than the month's file")

    def _read(self, table: str, keys: list[str]) -> Iterator[dict[str, Any]]:
        asked: Any = {table: {"Keys": [encode_item({KEY: key}) for key in keys], "ConsistentRead": True}}
        while asked:
            answer = self._client.batch_get_item(RequestItems=asked)
            yield from map(decode_item, answer["Responses"].get(table, []))
            asked = answer.get("UnprocessedKeys", {})


def _item_of(table: str) -> str:
    """The key of the item that says which month is in a table."""
    return f"{IN_PLACE}#{table}"


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (StoreUnavailable, Boto3Error, BotoCoreError, ClientError) as failure:
        raise SnapshotError(f"AWS: {failure}") from failure
