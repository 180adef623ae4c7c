"""A DynamoDB table in this process; ``tests.services.dynamodb`` serves moto's, which is slower."""

from typing import Any

from botocore.exceptions import ClientError

from brskills_server.adapters.dynamodb.values import decode_item, encode_item
from tests.services.simulated_expressions import apply, holds

_PAGE = 100


class SimulatedDynamoDB:
    """A client of one table with the key ``pk``."""

    def __init__(self) -> None:
        self.items: dict[str, dict[str, Any]] = {}

    def get_item(self, **of: Any) -> dict[str, Any]:
        item = self.items.get(of["Key"]["pk"]["S"])
        return {} if item is None else {"Item": encode_item(item)}

    def put_item(self, **of: Any) -> dict[str, Any]:
        return self._alone("Put", of)

    def update_item(self, **of: Any) -> dict[str, Any]:
        return self._alone("Update", of)

    def delete_item(self, **of: Any) -> dict[str, Any]:
        return self._alone("Delete", of)

    def transact_write_items(self, **of: Any) -> dict[str, Any]:
        """Do all writes or none."""
        writes = [next(iter(write.items())) for write in of["TransactItems"]]
        keys = [_key(write) for _, write in writes]
        assert len(set(keys)) == len(keys) <= 100, "an item twice, or too many"
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

    def _alone(self, kind: str, of: dict[str, Any]) -> dict[str, Any]:
        if not self._may(of):
            reason = self._reason(True, (kind, of))
            raise _failure("ConditionalCheckFailedException", item=reason.get("Item"))
        old = self._do(kind, of)
        shown = {"ALL_OLD": old, "ALL_NEW": self.items.get(_key(of))}.get(of.get("ReturnValues", ""))
        return {"Attributes": encode_item(shown)} if shown else {}

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
