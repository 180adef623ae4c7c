"""The DynamoDB client, and its errors as the adapter's exceptions.

A write that may have been applied is never repeated: botocore would count a slow call up to four times. Only
requests rejected before anything was done (throttling, no connection) may be sent again.
"""

from collections.abc import Callable
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, EndpointConnectionError

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.aws import aws_client
from brskills_server.adapters.dynamodb.values import decode_item

_CONNECTIONS = 100  # kept open; the gateway's threads share one client, a function on AWS uses one or two

_NOT_APPLIED = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "TransactionConflictException",  # another transaction holds the item for some milliseconds
    "TransactionCanceledException",  # likewise, or it was throttled (for conditions see below)
}


class ConditionFailed(Exception):
    """The condition of a write failed; nothing was written.

    ``item``: the present item, if requested and existing; ``writes``: the failed ones of a transaction.
    """

    def __init__(self, item: dict[str, Any] | None, writes: frozenset[int] = frozenset()) -> None:
        super().__init__("condition failed")
        self.item = item
        self.writes = writes


class NotApplied(StoreUnavailable):
    """The request was rejected before anything was done, and may be repeated."""


def dynamodb_client(seconds: float = 1.0) -> Any:
    """Return a client that waits at most ``seconds`` for an answer and does not retry.

    Raise ``StoreUnavailable`` if the environment has no region.
    """
    config = Config(
        connect_timeout=seconds,
        read_timeout=seconds,
        retries={"total_max_attempts": 1},
        max_pool_connections=_CONNECTIONS,
        # Together an eighth of a call's processor time: botocore would check what this adapter made, and put
        # its long name together for each request.
        parameter_validation=False,
        user_agent="brskills",
    )
    try:
        return aws_client("dynamodb", config)
    except BotoCoreError as error:
        raise StoreUnavailable(str(error)) from error


def send(operation: Callable[..., Any], **request: Any) -> dict[str, Any]:
    """Send one request once. Raise ``ConditionFailed``, ``NotApplied`` or ``StoreUnavailable``."""
    try:
        answer: dict[str, Any] = operation(**request)
    except ClientError as error:
        raise _translate(error) from error
    except EndpointConnectionError as error:  # refused; one that timed out has taken its time already
        raise NotApplied(type(error).__name__) from error
    except BotoCoreError as error:
        raise StoreUnavailable(type(error).__name__) from error
    return answer


def _translate(error: ClientError) -> Exception:
    answer: Any = error.response
    # A single write names a failed condition by its code, a transaction by the reason of one of its writes.
    writes = [_is_condition(reason) for reason in answer.get("CancellationReasons", [])]
    if _is_condition(answer["Error"]) or any(writes):
        item = decode_item(answer["Item"]) if "Item" in answer else None
        return ConditionFailed(item, frozenset(n for n, failed in enumerate(writes) if failed))
    code = answer["Error"]["Code"]
    return (NotApplied if code in _NOT_APPLIED else StoreUnavailable)(code)


def _is_condition(reason: dict[str, Any]) -> bool:
    return str(reason.get("Code", "")).startswith("ConditionalCheckFailed")
