"""The snapshot in DynamoDB: two tables that take months in turn, and an item that names the current one.

A month's table has the key ``pk`` (a company's 8 characters or an establishment's 14) and ``body``, as text
or, where that is long, deflated. The item ``REGISTER`` is in the table of companies.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from itertools import islice
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.client import dynamodb_client, send
from brskills_server.adapters.dynamodb.packing import unpacked
from brskills_server.adapters.dynamodb.values import decode_item, encode_item
from brskills_server.adapters.snapshots.stored import Month, MonthGone, StoredSnapshot, edition_of
from brskills_server.adapters.stores import StoreSettings
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.store import StoreFault

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

IN_PLACE = "REGISTER"
"""The key of the item: ``table``, ``name``, ``format``, ``day``, ``texts``, ``id``, for the history
``changes`` (see ``dynamodb_history``) and ``steps``, and ``search`` where a function has the index."""

_SECONDS = 1.0  # for one look-up, retries included
_MOST_KEYS = 100  # of a BatchGetItem
_PAUSE = 0.02  # before keys that DynamoDB had no capacity for are read again


class DynamoMonths:
    """``Months`` in DynamoDB, by eventually consistent reads: a month's rows never change."""

    def __init__(
        self, client: DynamoDBClient, companies_table: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client = client
        self._companies = companies_table
        self._clock = clock

    def in_place(self, known: Month | None) -> Month | None:
        """Return the current month, by one consistent GetItem."""
        item = self.place()
        if item is None:
            return None
        try:
            if known and (known.table, known.name) == (item["table"], item["name"]):
                return known
            edition = edition_of(item["format"], item["day"], item["texts"], item.get("id", ""))
            return Month(item["name"], item["table"], edition, item.get("search", ""))
        except KeyError as missing:
            raise StoreFault(f"the item {IN_PLACE} has no {missing}") from missing

    def place(self) -> dict[str, Any] | None:
        """Return the item of the current month."""
        request = {"TableName": self._companies, "Key": encode_item({"pk": IN_PLACE}), "ConsistentRead": True}
        try:
            answer = self._send(self._client.get_item, request)
        except MonthGone:  # the table of companies is missing
            return None
        return decode_item(answer["Item"]) if "Item" in answer else None

    def rows(self, month: Month, keys: Collection[str]) -> dict[str, str]:
        """Return bodies by a BatchGetItem for each hundred keys."""
        return self.bodies(month.table, keys)

    def bodies(self, table: str, keys: Collection[str]) -> dict[str, str]:
        """Return bodies by a BatchGetItem for each hundred keys."""
        bodies, left = dict[str, str](), iter(keys)
        while asked := list(islice(left, _MOST_KEYS)):
            bodies |= self._bodies(table, asked)
        return bodies

    def _bodies(self, table: str, keys: list[str]) -> dict[str, str]:
        """Return bodies by one BatchGetItem; for a second by more for unprocessed keys."""
        deadline = self._clock() + _SECONDS
        asked: dict[str, Any] = {table: {"Keys": [encode_item({"pk": key}) for key in keys]}}
        found = {}
        while asked:
            answer = self._send(self._client.batch_get_item, {"RequestItems": asked})
            for item in map(decode_item, answer["Responses"].get(table, ())):
                found[item["pk"]] = unpacked(item.get("body"))
            if asked := answer.get("UnprocessedKeys", {}):
                if self._clock() + _PAUSE >= deadline:
                    raise StoreFault("keys are left unprocessed")
                time.sleep(_PAUSE)
        return found

    def _send(self, operation: Callable[..., Any], request: dict[str, Any]) -> dict[str, Any]:
        try:
            return send(operation, **request)
        except StoreUnavailable as failure:
            cause = failure.__cause__
            if (
                isinstance(cause, ClientError)
                and cause.response["Error"]["Code"] == "ResourceNotFoundException"
            ):
                raise MonthGone(str(failure)) from failure
            raise StoreFault(str(failure)) from failure


def open_months(settings: StoreSettings) -> DynamoMonths:
    """Return the months beside the stores in DynamoDB, without a request yet."""
    return DynamoMonths(dynamodb_client(_SECONDS), settings.companies_table)


def open_snapshot(settings: StoreSettings) -> RegisterSnapshot:
    """Return the snapshot beside the stores in DynamoDB, without a request yet."""
    return StoredSnapshot(open_months(settings))
