"""DynamoDB's tables in this process: a hundredth of a millisecond where moto over HTTP takes seven.

They have the operations that the adapters use. Suites over them run over moto too (``--moto``), which checks
requests as AWS does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import wraps
from threading import RLock
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ClientError

from brskills_server.adapters.dynamodb.values import decode_item, encode_item
from tests.services.simulated_expressions import apply, holds

Item = dict[str, Any]
"""In DynamoDB's form."""
Place = tuple[str, str]
"""Of an item: its ``pk``, and its ``sk`` or an empty text."""

_PAGE = 100


class _NotFound(ClientError):
    """There is no such table."""


def _operation(method: Callable[..., Any]) -> Callable[..., Any]:
    """Count the requests, and let only one at a time in."""

    @wraps(method)
    def alone(self: SimulatedDynamoDB, **of: Any) -> Any:
        with self._lock:
            self.requests[method.__name__] += 1
            return method(self, **of)

    return alone


class SimulatedDynamoDB:
    """A client of tables: those named, and those that are created."""

    exceptions = SimpleNamespace(ResourceNotFoundException=_NotFound)

    def __init__(self, *names: str) -> None:
        self.tables: dict[str, dict[Place, Item]] = {
            name: {} for name in names or ("Access", "Watches", "Companies")
        }
        self.requests: Counter[str] = Counter()
        self._lock = RLock()

    @_operation
    def create_table(self, **of: Any) -> None:
        self.tables[of["TableName"]] = {}

    @_operation
    def delete_table(self, **of: Any) -> None:
        self._table(of)
        del self.tables[of["TableName"]]

    @_operation
    def describe_table(self, **of: Any) -> Any:
        self._table(of)
        return {"Table": {"TableStatus": "ACTIVE"}}

    @_operation
    def list_tables(self, **_: Any) -> Any:
        return {"TableNames": sorted(self.tables)}

    def get_waiter(self, _: str) -> Any:
        """Return one that waits for nothing: a table is there at once."""
        return SimpleNamespace(wait=lambda **_: None)

    @_operation
    def update_time_to_live(self, **of: Any) -> None:
        self._table(of)

    @_operation
    def get_item(self, **of: Any) -> Any:
        item = self._table(of).get(_place(of["Key"]))
        return {} if item is None else {"Item": item}

    @_operation
    def batch_get_item(self, **of: Any) -> Any:
        found = {
            name: [item for key in asked["Keys"] if (item := self._named(name).get(_place(key))) is not None]
            for name, asked in of["RequestItems"].items()
        }
        return {"Responses": found, "UnprocessedKeys": {}}

    @_operation
    def batch_write_item(self, **of: Any) -> Any:
        for name, writes in of["RequestItems"].items():
            assert 0 < len(writes) <= 25
            for write in writes:
                ((kind, given),) = write.items()
                self._do(kind.removesuffix("Request"), {"TableName": name, **given})
        return {"UnprocessedItems": {}}

    @_operation
    def put_item(self, **of: Any) -> Any:
        return self._alone("Put", of)

    @_operation
    def update_item(self, **of: Any) -> Any:
        return self._alone("Update", of)

    @_operation
    def delete_item(self, **of: Any) -> Any:
        return self._alone("Delete", of)

    @_operation
    def transact_write_items(self, **of: Any) -> Any:
        """Do all writes or none."""
        writes = [next(iter(write.items())) for write in of["TransactItems"]]
        places = [(write["TableName"], _key(write)) for _, write in writes]
        assert len(set(places)) == len(places) <= 100, "an item twice, or too many"
        failed = [not self._may(write) for _, write in writes]
        if any(failed):
            reasons = [
                self._reason(write) if fails else {"Code": "None"}
                for fails, (_, write) in zip(failed, writes, strict=True)
            ]
            raise _failure("TransactionCanceledException", CancellationReasons=reasons)
        for kind, write in writes:
            self._do(kind, write)
        return {}

    @_operation
    def scan(self, **of: Any) -> Any:
        """Return pages in the order of the keys."""
        return self._page(of, sorted(self._table(of)), _PAGE)

    @_operation
    def query(self, **of: Any) -> Any:
        values = decode_item(of["ExpressionAttributeValues"])
        assert of["KeyConditionExpression"] == "pk = :pk AND sk BETWEEN :first AND :last"
        first, last = values[":first"], values[":last"]
        among = sorted(
            place for place in self._table(of) if place[0] == values[":pk"] and first <= place[1] <= last
        )
        return self._page(of, among, of["Limit"])

    def _page(self, of: dict[str, Any], among: list[Place], most: int) -> Any:
        table = self._table(of)
        after = _place(of["ExclusiveStartKey"]) if "ExclusiveStartKey" in of else ("", "")
        left = [place for place in among if place > after]
        wanted = of.get("FilterExpression", "")
        found = [table[place] for place in left[:most]]
        shown = [item for item in found if _holds(wanted, item, of)]
        last = {name: found[-1][name] for name in ("pk", "sk") if name in found[-1]} if found else {}
        return {"Items": shown, **({"LastEvaluatedKey": last} if len(left) > most else {})}

    def _alone(self, kind: str, of: dict[str, Any]) -> Any:
        if not self._may(of):
            reason = self._reason(of)
            raise _failure(
                "ConditionalCheckFailedException",
                **{name: reason[name] for name in ("Item",) if name in reason},
            )
        old = self._do(kind, of)
        new = self._table(of).get(_key(of))
        shown = {"ALL_OLD": old, "ALL_NEW": new}.get(of.get("ReturnValues", ""))
        return {"Attributes": shown} if shown else {}

    def _may(self, of: dict[str, Any]) -> bool:
        item = self._table(of).get(_key(of), {})
        return _holds(of.get("ConditionExpression", ""), item, of)

    def _reason(self, of: dict[str, Any]) -> Any:
        """Return why a write was not done, with the item if that is wanted."""
        item = self._table(of).get(_key(of))
        shown = item and of.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        return {"Code": "ConditionalCheckFailed", **({"Item": item} if shown else {})}

    def _do(self, kind: str, of: dict[str, Any]) -> Item | None:
        """Write, and return the item as it was."""
        table, key = self._table(of), _key(of)
        old = table.get(key)
        if kind == "Put":
            table[key] = of["Item"]
        elif kind == "Delete":
            table.pop(key, None)
        elif kind == "Update":
            item = decode_item({**of["Key"], **(old or {})})
            apply(of["UpdateExpression"], item, *_placed(of))
            table[key] = encode_item(item)
        return old

    def _table(self, of: dict[str, Any]) -> dict[Place, Item]:
        return self._named(of["TableName"])

    def _named(self, name: str) -> dict[Place, Item]:
        if name not in self.tables:
            raise _failure("ResourceNotFoundException", _NotFound)
        return self.tables[name]


def _key(of: dict[str, Any]) -> Place:
    return _place(of.get("Key") or of["Item"])


def _place(key: dict[str, Any]) -> Place:
    return key["pk"]["S"], key.get("sk", {}).get("S", "")


def _holds(expression: str, item: Item, of: dict[str, Any]) -> bool:
    return not expression or holds(expression, decode_item(item), *_placed(of))


def _placed(of: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    return decode_item(of.get("ExpressionAttributeValues", {})), of.get("ExpressionAttributeNames", {})


def _failure(code: str, kind: type[ClientError] = ClientError, **more: Any) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": code}, **more}
    return kind(answer, "Write")
