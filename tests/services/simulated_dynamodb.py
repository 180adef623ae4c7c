"""A DynamoDB table in this process, with a simulated clock and its limit of writes to an item.

``tests.services.dynamodb`` serves moto's, which is slower and throttles nothing. The contract suite runs over
that one; what is counted here is checked there in shorter runs.
"""

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

from brskills_server.adapters.dynamodb.values import decode_item, encode_item
from tests.services.simulated_expressions import apply, holds

_PAGE = 100


class SimulatedDynamoDB:
    """A client of one table with the key ``pk``.

    ``clock``: seconds. ``units``: that an item may be written a second, in units of a kilobyte, of which a
    transaction takes twice as many; a refused write takes them as well. Each tenth of a second has a tenth.
    """

    def __init__(self, clock: Callable[[], float] = lambda: 0.0, units: int | None = None) -> None:
        self.items: dict[str, dict[str, Any]] = {}
        self.requests: Counter[str] = Counter()
        self.throttled = 0
        self._clock, self._units = clock, units
        self._written: Counter[tuple[str, int]] = Counter()

    def get_item(self, **of: Any) -> dict[str, Any]:
        self.requests["get_item"] += 1
        item = self.items.get(of["Key"]["pk"]["S"])
        return {} if item is None else {"Item": encode_item(item)}

    def put_item(self, **of: Any) -> dict[str, Any]:
        return self._alone("put_item", "Put", of)

    def update_item(self, **of: Any) -> dict[str, Any]:
        return self._alone("update_item", "Update", of)

    def delete_item(self, **of: Any) -> dict[str, Any]:
        return self._alone("delete_item", "Delete", of)

    def transact_write_items(self, **of: Any) -> dict[str, Any]:
        """Do all writes or none, at twice the price of each."""
        self.requests["transact_write_items"] += 1
        writes = [next(iter(write.items())) for write in of["TransactItems"]]
        keys = [_key(write) for _, write in writes]
        assert len(set(keys)) == len(keys) <= 100, "an item twice, or too many"
        throttled = [self._is_throttled(kind, write, 2) for kind, write in writes]
        if any(throttled):
            raise _failure("TransactionCanceledException", [{"Code": "ThrottlingError"}])
        failed = [not self._may(write) for _, write in writes]
        if any(failed):
            reasons = zip(failed, writes, strict=True)
            raise _failure("TransactionCanceledException", [self._reason(*one) for one in reasons])
        for kind, write in writes:
            self._do(kind, write)
        return {}

    def scan(self, **of: Any) -> dict[str, Any]:
        """Return pages in the order of the keys."""
        values = decode_item(of.get("ExpressionAttributeValues", {}))
        after = of.get("ExclusiveStartKey", {"pk": {"S": ""}})["pk"]["S"]
        found = sorted(key for key in self.items if key > after)
        shown = [
            key for key in found[:_PAGE] if holds(of.get("FilterExpression", ""), self.items[key], values, {})
        ]
        more = {"LastEvaluatedKey": {"pk": {"S": found[_PAGE - 1]}}} if len(found) > _PAGE else {}
        return {"Items": [encode_item(self.items[key]) for key in shown], **more}

    def query(self, **_: Any) -> dict[str, Any]:
        """Return nothing: no other table has an item."""
        return {"Items": []}

    def _alone(self, operation: str, kind: str, of: dict[str, Any]) -> dict[str, Any]:
        self.requests[operation] += 1
        if self._is_throttled(kind, of, 1):
            raise _failure("ProvisionedThroughputExceededException")
        if not self._may(of):
            reason = self._reason(True, (kind, of))
            raise _failure("ConditionalCheckFailedException", item=reason.get("Item"))
        old = self._do(kind, of)
        shown = {"ALL_OLD": old, "ALL_NEW": self.items.get(_key(of))}.get(of.get("ReturnValues", ""))
        return {"Attributes": encode_item(shown)} if shown else {}

    def _is_throttled(self, kind: str, of: dict[str, Any], price: int) -> bool:
        """Take a write's units; return whether there were too few."""
        if self._units is None:
            return False
        item = decode_item(of["Item"]) if kind == "Put" else self.items.get(_key(of), {})
        place = _key(of), math.floor(self._clock() * 10)
        units = price * math.ceil(max(1, len(str(item))) / 1024)
        if self._written[place] + units > self._units / 10:
            self.throttled += 1
            return True
        self._written[place] += units
        return False

    def _may(self, of: dict[str, Any]) -> bool:
        item, condition = self.items.get(_key(of), {}), of.get("ConditionExpression", "")
        return holds(condition, item, *_placed(of))

    def _reason(self, failed: bool, one: tuple[str, dict[str, Any]]) -> dict[str, Any]:
        item = self.items.get(_key(one[1]))
        if not failed:
            return {"Code": "None"}
        is_wanted = item and one[1].get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        return {
            "Code": "ConditionalCheckFailed",
            **({"Item": encode_item(item)} if item and is_wanted else {}),
        }

    def _do(self, kind: str, of: dict[str, Any]) -> dict[str, Any] | None:
        """Write, and return the item as it was."""
        key = _key(of)
        old = self.items.get(key)
        if kind == "Put":
            self.items[key] = decode_item(of["Item"])
        elif kind == "Delete":
            self.items.pop(key, None)
        elif kind == "Update":
            item = {"pk": key, **(old or {})}
            apply(of["UpdateExpression"], item, *_placed(of))
            self.items[key] = item
        return old


def _key(of: dict[str, Any]) -> str:
    return str((of.get("Key") or of["Item"])["pk"]["S"])


def _placed(of: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    return decode_item(of.get("ExpressionAttributeValues", {})), of.get("ExpressionAttributeNames", {})


def _failure(code: str, reasons: list[dict[str, Any]] | None = None, item: Any = None) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": code}}
    if reasons:
        answer["CancellationReasons"] = reasons
    if item:
        answer["Item"] = item
    return ClientError(answer, "Write")
