"""The client, and what DynamoDB's faults mean to us.

A write is never repeated when it may have been applied: botocore would count a slow call up to four
times. Only what was refused before anything was done (throttling, no connection) may be tried again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, EndpointConnectionError

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.aws import aws_client
from brskills_server.adapters.dynamodb.values import decode_item

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

__all__ = ["ConditionFailed", "NotApplied", "dynamodb_client", "send"]

_CONNECTIONS = 100  # kept open; the gateway's threads share one client, a function on AWS uses one or two

_NOT_APPLIED = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "TransactionConflictException",  # another transaction holds the item for some milliseconds
    "TransactionCanceledException",  # so does one of ours, or it was throttled (for conditions see below)
}


class ConditionFailed(Exception):
    """The condition of a write did not hold; nothing was written.

    ``item`` is the item as it stands, where the request asked for it and there is one. ``writes``: of a
    transaction, which of its writes it was, or were.
    """

    def __init__(self, item: dict[str, Any] | None, writes: frozenset[int] = frozenset()) -> None:
        super().__init__("condition failed")
        self.item = item
        self.writes = writes


class NotApplied(StoreUnavailable):
    """The request was refused before anything was done, and may be repeated."""


def dynamodb_client(seconds: float = 1.0) -> DynamoDBClient:
    """A client that waits at most so many seconds for an answer and repeats nothing by itself.

    Raises ``StoreUnavailable`` where the environment names no region.
    """
    config = Config(
        connect_timeout=seconds,
        read_timeout=seconds,
        retries={"total_max_attempts": 1},
        max_pool_connections=_CONNECTIONS,
    )
    try:
        client: DynamoDBClient = aws_client("dynamodb", config)
    except BotoCoreError as error:
        raise StoreUnavailable(str(error)) from error
    return client


def send(operation: Callable[..., Any], **request: Any) -> dict[str, Any]:
    """One request, sent once; raises ``ConditionFailed``, ``NotApplied`` or ``StoreUnavailable``."""
    try:
        answer: dict[str, Any] = operation(**request)
    except ClientError as error:
        raise _translated(error) from error
    except EndpointConnectionError as error:  # refused; one that timed out has taken its time already
        raise NotApplied(type(error).__name__) from error
    except BotoCoreError as error:
        raise StoreUnavailable(type(error).__name__) from error
    return answer


def _translated(error: ClientError) -> Exception:
    answer: Any = error.response
    # A single write names a failed condition by its code, a transaction by the reason of one of its writes.
    writes = [_says_condition(reason) for reason in answer.get("CancellationReasons", [])]
    if _says_condition(answer["Error"]) or any(writes):
        item = decode_item(answer["Item"]) if "Item" in answer else None
        return ConditionFailed(item, frozenset(n for n, failed in enumerate(writes) if failed))
    code = answer["Error"]["Code"]
    return (NotApplied if code in _NOT_APPLIED else StoreUnavailable)(code)


def _says_condition(reason: dict[str, Any]) -> bool:
    return str(reason.get("Code", "")).startswith("ConditionalCheckFailed")
