"""Snapshots in DynamoDB, as ``brskills_server.adapters.snapshots.dynamodb`` reads them: two tables in turn.

One item names the table in place. Another for each table names its snapshot; it is written when the snapshot
is complete, and deleted before the table.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.packing import packed, unpacked
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.adapters.snapshots.dynamodb import IN_PLACE
from brskills_server.adapters.snapshots.dynamodb_history import read_steps
from brskills_server.registry.snapshot.history import Step
from brskills_server.snapshot_builder.destinations.changes_table import ChangesTable
from brskills_server.snapshot_builder.destinations.destination import (
    KeptSnapshot,
    Report,
    SnapshotRows,
    checked_name,
)
from brskills_server.snapshot_builder.destinations.index_files import IndexFiles
from brskills_server.snapshot_builder.destinations.table_fillers import KEY, BatchFiller, ImportFiller
from brskills_server.snapshot_builder.errors import SnapshotError

_TIMEOUT_SECONDS = 6 * 3600.0


class DynamoDestination:
    """A `Destination` in the tables ``{prefix}-a`` and ``{prefix}-b``, with the changes in a third one.

    Adding a snapshot first deletes the one that is not in place: until it is complete, no rollback is
    possible. ``settle_seconds``: how long after a switch services may still read the previous table.
    ``indexes``: of the function ``{prefix}-search``, if there is one.
    """

    def __init__(
        self,
        client: Any,
        companies_table: str,
        prefix: str,
        filler: BatchFiller | ImportFiller,
        poll_seconds: float = 5.0,
        settle_seconds: float = 60.0,
        indexes: IndexFiles | None = None,
    ) -> None:
        self._client = client
        self._items = Table(client, companies_table)
        self._tables = (f"{prefix}-a", f"{prefix}-b")
        self._changes = ChangesTable(client, prefix)
        self._filler = filler
        self._poll_seconds = poll_seconds
        self._settle_seconds = settle_seconds
        self._indexes = indexes
        self._function = f"{prefix}-search"

    def snapshots(self) -> list[KeptSnapshot]:
        """Return the snapshots, newest first."""
        place = self._get(IN_PLACE) or {}
        months = [
            KeptSnapshot(item["name"], date.fromisoformat(item["day"]), item["table"] == place.get("table"))
            for item in self._kept()
        ]
        return sorted(months, key=lambda month: (month.day, month.name), reverse=True)

    def add(self, file: Path, name: str, report: Report) -> None:
        """Add the changes; delete the table that is not in place, create it with the rows, and compare."""
        checked_name(name)
        place = self._place_of_another(name)
        table = next(table for table in self._tables if not place or table != place["table"])
        rows = SnapshotRows(file, report)
        with _translate_errors():
            history = self._changes.add(rows, self._steps())
            if place:
                time.sleep(max(0.0, place["switched_at"] + self._settle_seconds - time.time()))
            self._delete_table(table)
            arrived = self._filler.fill(table, rows)
            if arrived != rows.count:
                raise SnapshotError(f"{table} took {arrived} of {rows.count} rows")
            found = Table(self._client, table).get_all(list(rows.sample))
            expected = {key: unpacked(packed(body)) for key, body in rows.sample.items()}
            if {item[KEY]: unpacked(item["body"]) for item in found} != expected:
                raise SnapshotError(f"{table} gives other rows than the snapshot's file")
            item = {"table": table, "name": name, **rows.facts, **history}
            kept = [other.get("id", "") for other in self._kept()]
            if self._indexes and self._indexes.add(file.parent, rows.facts.get("id", ""), kept):
                item["search"] = self._function
            self._items.put({"pk": _item_key(table), **item})

    def switch(self, name: str) -> None:
        """Put a snapshot in place, with one PutItem; what it replaces may be announced, so its steps stay."""
        found = next((item for item in self._kept() if item["name"] == name), None)
        if not found:
            raise SnapshotError(f"there is no snapshot {name}")
        with _translate_errors():
            history = self._changes.facts(self._steps().values(), date.fromisoformat(found["day"]))
            self._items.put({**found, **history, "pk": IN_PLACE, "switched_at": int(time.time())})

    def remove(self, name: str) -> None:
        """Delete a snapshot's table."""
        self._place_of_another(name)
        for item in self._kept():
            if item["name"] == name:
                with _translate_errors():
                    self._delete_table(item["table"])

    def _place_of_another(self, name: str) -> Item | None:
        """Return the item that names the table in place. Raise `SnapshotError` if it has this snapshot."""
        place = self._get(IN_PLACE)
        if place and place["name"] == name:
            raise SnapshotError(f"the snapshot {name} is in place")
        return place

    def _kept(self) -> list[Item]:
        return [item for table in self._tables if (item := self._get(_item_key(table)))]

    def _steps(self) -> dict[str, Step]:
        """Return the steps that the snapshots know, by id."""
        items = [self._get(IN_PLACE) or {}, *self._kept()]
        return {name: step for item in items for name, step in read_steps(item.get("steps", "[]")).items()}

    def _get(self, key: str) -> Item | None:
        with _translate_errors():
            return self._items.get(key)

    def _delete_table(self, table: str) -> None:
        """Delete a table and its item; a table with a running import can only be deleted afterwards."""
        self._items.delete(_item_key(table))
        deadline = time.monotonic() + _TIMEOUT_SECONDS
        while (status := self._status(table)) and time.monotonic() < deadline:
            if status == "ACTIVE":
                self._client.delete_table(TableName=table)
            else:
                time.sleep(self._poll_seconds)
        if status:
            raise SnapshotError(f"{table} is {status} and cannot be deleted")

    def _status(self, table: str) -> str | None:
        try:
            return str(self._client.describe_table(TableName=table)["Table"]["TableStatus"])
        except self._client.exceptions.ResourceNotFoundException:
            return None


def _item_key(table: str) -> str:
    """Return the key of the item that names a table's snapshot."""
    return f"{IN_PLACE}#{table}"


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except (StoreUnavailable, Boto3Error, BotoCoreError, ClientError) as error:
        raise SnapshotError(f"AWS: {error}") from error
