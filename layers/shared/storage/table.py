"""One DynamoDB table as the ledger sees it: exact writes, bounded waits, three kinds of outcome.

A write is never repeated when it may have been applied: boto3 would count a slow call up to four
times. Only what DynamoDB refused before doing anything (throttling, no connection) is tried again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, ConnectTimeoutError, EndpointConnectionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from types_boto3_dynamodb import DynamoDBClient

__all__ = ["Item", "StoreUnavailable", "Table", "Unmet", "dynamodb_client"]

Item = dict[str, Any]

_REFUSED_UNDONE = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "TransactionConflictException",  # another transaction holds the item for some milliseconds
    "TransactionCanceledException",  # so does one of ours, or it was throttled (for conditions see below)
}
_PAUSES = (0.05, 0.15, None)  # seconds between the tries of a request that was refused undone


class StoreUnavailable(Exception):
    """The store did not answer, or not in time: what was asked may or may not have happened."""


class Unmet(Exception):
    """The condition of a write did not hold; nothing was written.

    ``found`` is the item as it stands (``None`` where there is none).
    """

    def __init__(self, found: Item | None) -> None:
        super().__init__("condition not met")
        self.found = found


def dynamodb_client(timeout: float = 1.0) -> DynamoDBClient:
    """A client that waits at most ``timeout`` seconds for an answer and repeats nothing by itself."""
    config = Config(connect_timeout=timeout, read_timeout=timeout, retries={"total_max_attempts": 1})
    return boto3.client("dynamodb", config=config)


class Table:
    """A table with the string key ``pk``; items are DynamoDB's own ``{"pk": {"S": …}}`` dictionaries."""

    def __init__(self, client: DynamoDBClient, name: str) -> None:
        self._client = client
        self.name = name

    def get(self, pk: str) -> Item | None:
        """The item by a consistent read, or ``None``."""
        answer = self.send("get_item", Key={"pk": {"S": pk}}, ConsistentRead=True)
        item: Item | None = answer.get("Item")
        return item

    def put(self, item: Item, **condition: Any) -> None:
        """Write a whole item; raises :class:`Unmet` where a ``ConditionExpression`` does not hold."""
        self.send("put_item", Item=item, **condition)

    def update(self, pk: str, **expression: Any) -> Item:
        """Change an item and return it as it is then; raises :class:`Unmet` with the item as it was."""
        answer = self.send(
            "update_item",
            Key={"pk": {"S": pk}},
            ReturnValues="ALL_NEW",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
            **expression,
        )
        item: Item = answer.get("Attributes", {})
        return item

    def transact(self, *writes: dict[str, Any]) -> None:
        """Do every write or none, each ``{"Put": …}`` or ``{"Update": …}`` as DynamoDB has them.

        Raises :class:`Unmet` (which does not tell the item) where any condition does not hold.
        """
        items = [{kind: {"TableName": self.name, **write}} for each in writes for kind, write in each.items()]
        self._call("transact_write_items", TransactItems=items)

    def scan(self, **expression: Any) -> Iterator[Item]:
        """Every item that passes a ``FilterExpression``: for the operator's tools, never for a call."""
        start: dict[str, Any] = {}
        while True:
            page = self.send("scan", **expression, **start)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def send(self, operation: str, **request: Any) -> dict[str, Any]:
        """Call one operation on this table, turning its faults into ours."""
        return self._call(operation, TableName=self.name, **request)

    def _call(self, operation: str, **request: Any) -> dict[str, Any]:
        for pause in _PAUSES:
            try:
                answer: dict[str, Any] = getattr(self._client, operation)(**request)
            except ClientError as error:
                _raise_if_unmet(error)
                code = error.response["Error"]["Code"]
                if code not in _REFUSED_UNDONE or pause is None:
                    raise StoreUnavailable(code) from error
            except (EndpointConnectionError, ConnectTimeoutError) as error:
                if pause is None:
                    raise StoreUnavailable(type(error).__name__) from error
            except BotoCoreError as error:
                raise StoreUnavailable(type(error).__name__) from error
            else:
                return answer
            time.sleep(pause)
        raise AssertionError("the last try returns or raises")


def _raise_if_unmet(error: ClientError) -> None:
    """A single write says so by its code, a transaction by the reason of one of its writes."""
    failure: Any = error.response
    reasons = [failure["Error"], *failure.get("CancellationReasons", [])]
    if any(reason.get("Code", "").startswith("ConditionalCheckFailed") for reason in reasons):
        raise Unmet(failure.get("Item")) from None
