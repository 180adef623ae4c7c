"""Months in the store that ``STORE`` names (``REGISTRY_COPY=store``), where services read them.

The folder is where they are built and compared; a finished one is brought from there into the store.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adapters.copies.folder import FILE
from copy_builder.faults import BuildFault
from copy_builder.places.bucket import Bucket
from copy_builder.places.folder import FolderPlace
from copy_builder.places.place import Place
from wiring.settings import Settings

__all__ = ["Published", "open_published"]


@dataclass(frozen=True, slots=True)
class Published:
    """``bucket``: where months' files stay between builds on machines that lose their disks, if anywhere.

    Every method may raise ``PlaceFault``.
    """

    place: Place
    bucket: Bucket | None = None

    def bring_former(self, folder: FolderPlace) -> None:
        """Have what is in place in the store in the folder too, to compare with, if it can be had."""
        current = self._current()
        here = any(month.name == current and month.current for month in folder.months())
        if current and not here and self.bucket and self.bucket.bring(current, folder.folder):
            folder.switch(current)

    def publish(self, folder: FolderPlace, say: Callable[[str], None] = print) -> None:
        """Put what is in place in the folder in place in the store, too. The one before stays there."""
        newest = next(month.name for month in folder.months() if month.current)
        former = self._current()
        if former == newest:
            return
        file = folder.folder_of(newest) / FILE
        self.place.add(file, newest, lambda rows: say(f"{rows:,} rows brought into the store"))
        self.place.switch(newest)
        for month in self.place.months():
            if month.name not in {newest, former}:
                self.place.remove(month.name)
        if self.bucket:
            self.bucket.keep(file, newest, [former] if former else [])

    def roll_back(self) -> str:
        """Put the store's other month in place; returns its name."""
        former = next((month.name for month in self.place.months() if not month.current), None)
        if former is None:
            raise BuildFault("the store has no month beside the one in place")
        self.place.switch(former)
        return former

    def _current(self) -> str | None:
        return next((month.name for month in self.place.months() if month.current), None)


def open_published(settings: Settings) -> Published:
    """The months in the store; ``BuildFault`` for a store that has none. Nothing is asked of it yet."""
    match settings.store.partition(":")[0]:
        case "postgresql":
            from copy_builder.places.postgresql import PostgresPlace

            return Published(PostgresPlace(settings.store))
        case "dynamodb":
            return _in_dynamodb(settings.companies_table)
        case name:
            raise BuildFault(f"REGISTRY_COPY=store: {name} keeps no copies; name a folder instead")


def _in_dynamodb(companies_table: str) -> Published:
    import boto3

    from adapters.dynamodb.local import set_local_aws_defaults
    from copy_builder.places.dynamodb import DynamoPlace
    from copy_builder.places.filling import Filling, Import, Writes

    set_local_aws_defaults()
    client = boto3.client("dynamodb")
    bucket = os.environ.get("REGISTRY_BUCKET")
    s3: Any = boto3.client("s3") if bucket else None
    filling: Filling = Import(client, s3, bucket) if bucket else Writes(client)
    place = DynamoPlace(client, companies_table, os.environ.get("REGISTRY_TABLES", "Register"), filling)
    return Published(place, Bucket(s3, bucket) if bucket else None)
