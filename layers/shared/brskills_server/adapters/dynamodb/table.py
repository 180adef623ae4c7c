"""One DynamoDB table; its items are plain values (see ``values``)."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.client import ConditionFailed, NotApplied, send
from brskills_server.adapters.dynamodb.values import Key, decode_item, encode_item, encode_key

_system = random.SystemRandom()  # shares no state with another thread or a restored copy

Item = dict[str, Any]

_BATCH = 25  # the most that BatchWriteItem takes
_READ_BATCH = 100  # the most that BatchGetItem does
_PAUSES = (0.05, 0.15)  # seconds before a request that was not applied is sent again
_BATCH_PAUSES = (*_PAUSES, 0.5, 1.0, 2.0)  # before the rest of a batch is
_CONFLICT_PAUSES = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
"""Before a transaction is: those of one account follow each other within milliseconds."""


class Table:
    """Consistent reads and conditional writes. Every method may raise ``StoreUnavailable``."""

    def __init__(self, client: Any, name: str) -> None:
        self._client = client
        self._name = name

    def get(self, key: Key) -> Item | None:
        """Return an item by a consistent read."""
        answer = self._send("get_item", **self._request(key, {"ConsistentRead": True}))
        return decode_item(answer["Item"]) if "Item" in answer else None

    def get_all(self, keys: Sequence[Key]) -> list[Item]:
        """Return the items that exist, by consistent reads of different moments."""
        found: list[Item] = []
        for start in range(0, len(keys), _READ_BATCH):
            some = [encode_key(key) for key in keys[start : start + _READ_BATCH]]
            request = {self._name: {"Keys": some, "ConsistentRead": True}}
            for answer in self._in_parts("batch_get_item", request, "UnprocessedKeys"):
                found += map(decode_item, answer["Responses"].get(self._name, []))
        return found

    def put(self, item: Item) -> None:
        """Write a whole item, replacing one with its key."""
        self._send("put_item", TableName=self._name, Item=encode_item(item))

    def try_put(self, item: Item, parts: Mapping[str, Any]) -> bool:
        """Write a whole item; return ``False`` if the condition fails."""
        try:
            self._send("put_item", TableName=self._name, Item=encode_item(item), **parts)
        except ConditionFailed:
            return False
        return True

    def create(self, item: Item) -> None:
        """Write a whole item. Raise ``ConditionFailed`` if it exists."""
        self._send("put_item", **self._creation_request(item))

    def delete(self, key: Key) -> Item | None:
        """Delete an item; return it as it was, ``None`` if there was none."""
        answer = self._send("delete_item", **self._request(key, {"ReturnValues": "ALL_OLD"}))
        return decode_item(answer["Attributes"]) if "Attributes" in answer else None

    def try_delete(self, key: Key, parts: Mapping[str, Any]) -> bool:
        """Delete an item; return ``False`` if the condition fails."""
        try:
            self._send("delete_item", **self._request(key, parts))
        except ConditionFailed:
            return False
        return True

    def update(self, key: Key, parts: Mapping[str, Any], returned: str = "ALL_NEW") -> Item:
        """Change an item; return it as it is then (``ALL_OLD``: was). Raise ``ConditionFailed`` with it."""
        answer = self._send(
            "update_item",
            ReturnValues=returned,
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
            **self._request(key, parts),
        )
        return decode_item(answer.get("Attributes", {}))

    def try_update(self, key: Key, parts: Mapping[str, Any]) -> bool:
        """Update an item; return ``False`` if the condition fails."""
        try:
            self.update(key, parts)
        except ConditionFailed:
            return False
        return True

    def update_and_create(self, key: Key, parts: Mapping[str, Any], item: Item) -> None:
        """Update one item and create another, or raise ``ConditionFailed`` with neither done."""
        self.together(self.updating(key, parts), {"Put": self._creation_request(item)})

    def together(self, *writes: Mapping[str, Any]) -> None:
        """Do all of these writes of different items, or none: ``ConditionFailed`` has the failed ones."""
        self._send("transact_write_items", _CONFLICT_PAUSES, TransactItems=writes)

    def updating(self, key: Key, parts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the write of :meth:`together` that updates."""
        return {"Update": self._request(key, parts)}

    def putting(self, item: Item, parts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the write of :meth:`together` that writes a whole item if the condition holds."""
        return {"Put": {"TableName": self._name, "Item": encode_item(item), **parts}}

    def checking(self, key: Key, parts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the part of :meth:`together` that writes nothing and needs the condition to hold."""
        return {"ConditionCheck": self._request(key, parts)}

    def deleting(self, key: Key, parts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the write of :meth:`together` that deletes if the condition holds."""
        return {"Delete": self._request(key, parts)}

    def scan(self, prefix: str = "") -> Iterator[Item]:
        """Return every item whose key has a prefix: for the operator, never in a call."""
        request: dict[str, Any] = {"TableName": self._name, "ConsistentRead": True}
        if prefix:
            request["FilterExpression"] = "begins_with(pk, :prefix)"
            request["ExpressionAttributeValues"] = encode_item({":prefix": prefix})
        while True:
            page = self._send("scan", **request)
            yield from map(decode_item, page["Items"])
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    @contextmanager
    def filling(self) -> Iterator[Callable[[Item], None]]:
        """Return a function that writes whole items with different keys in batches."""
        batch: list[Any] = []

        def put(item: Item) -> None:
            batch.append({"PutRequest": {"Item": encode_item(item)}})
            if len(batch) == _BATCH:
                self._write(batch)
                batch.clear()

        yield put
        self._write(batch)

    def _write(self, batch: list[Any]) -> None:
        list(self._in_parts("batch_write_item", {self._name: batch} if batch else {}, "UnprocessedItems"))

    def _in_parts(self, operation: str, waiting: dict[str, Any], rest: str) -> Iterator[dict[str, Any]]:
        """Send a batch, then what the answer names under ``rest``; return the answers."""
        for pause in (*_BATCH_PAUSES, 0):
            if not waiting:
                return
            answer = self._send(operation, RequestItems=waiting)
            yield answer
            waiting = answer.get(rest, {})
            time.sleep(pause if waiting else 0)
        raise StoreUnavailable(f"{operation}: the table does not process all items")

    def _request(self, key: Key, parts: Mapping[str, Any]) -> dict[str, Any]:
        return {"TableName": self._name, "Key": encode_key(key), **parts}

    def _creation_request(self, item: Item) -> dict[str, Any]:
        absent = "attribute_not_exists(pk)"
        return {"TableName": self._name, "Item": encode_item(item), "ConditionExpression": absent}

    def _send(self, operation: str, pauses: Sequence[float] = _PAUSES, **request: Any) -> dict[str, Any]:
        call = getattr(self._client, operation)
        for pause in pauses:
            try:
                return send(call, **request)
            except NotApplied:
                time.sleep(pause * _system.uniform(0.5, 1.5))  # so that two do not collide again
        try:
            return send(call, **request)
        except NotApplied as failure:  # only the adapter may repeat
            raise StoreUnavailable(str(failure)) from failure


class DynamoStore:
    """A store in one table."""

    def __init__(self, client: Any, table_name: str) -> None:
        self._table = Table(client, table_name)
