"""Companies in DynamoDB: one item a company, and one for the shared state of the sources.

Table: partition key ``pk`` (S), time to live ``expires_at`` (N, epoch seconds), on demand. Readers
judge the age themselves; the time to live only tidies up. boto3 blocks, so a call runs in a worker
thread: while DynamoDB is slow the race of the providers goes on. Only the first read of a look-up does
not, for there is no race yet, and two changes of thread would cost it a third of its time.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from registry.store import Fields, StoreFault

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

__all__ = ["DynamoCompanies"]

T = TypeVar("T")

_SOURCES = {"pk": {"S": "SOURCES"}}


class DynamoCompanies:
    """The store of ``registry`` (see ``registry.store.Store``) in a DynamoDB table.

    ``client``: a low-level client with short time-outs and no repetitions: they bound the first read
    and how long a worker thread may hang. For the rest a look-up waits ``registry.store.STORE_SECONDS``.
    """

    def __init__(self, client: "DynamoDBClient", table_name: str) -> None:
        self._client = client
        self._table = table_name

    async def load(self, cnpj: str) -> Fields | None:
        """One GetItem."""
        return _call(lambda: self._get(_key(cnpj))) or None

    async def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        """One PutItem."""
        item = {**_key(cnpj), **_write(entry), "expires_at": {"N": str(expires_at)}}
        await _aside(lambda: self._client.put_item(TableName=self._table, Item=item))

    async def state(self) -> Fields:
        """One GetItem."""
        return await _aside(lambda: self._get(_SOURCES))

    async def set_state(self, changes: Fields) -> None:
        """One UpdateItem."""
        fields = list(changes)
        await _aside(
            lambda: self._client.update_item(
                TableName=self._table,
                Key=_SOURCES,
                UpdateExpression="SET " + ", ".join(f"#{n} = :{n}" for n in range(len(fields))),
                ExpressionAttributeNames={f"#{n}": field for n, field in enumerate(fields)},
                ExpressionAttributeValues={f":{n}": v for n, v in enumerate(_write(changes).values())},
            )
        )

    async def claim(self, field: str, value: int, at_most: int) -> bool:
        """One conditional UpdateItem."""
        try:
            await _aside(
                lambda: self._client.update_item(
                    TableName=self._table,
                    Key=_SOURCES,
                    UpdateExpression="SET #field = :value",
                    ConditionExpression="attribute_not_exists(#field) OR #field <= :most",
                    ExpressionAttributeNames={"#field": field},
                    ExpressionAttributeValues=_write({":value": value, ":most": at_most}),
                )
            )
        except _TakenError:
            return False
        return True

    def _get(self, key: Mapping[str, Any]) -> Fields:
        answer = self._client.get_item(TableName=self._table, Key=key)
        return {name: _read(value) for name, value in answer.get("Item", {}).items()}


class _TakenError(Exception):
    """The condition of a write did not hold."""


def _key(cnpj: str) -> dict[str, Any]:
    return {"pk": {"S": f"COMPANY#{cnpj}"}}


def _write(fields: Fields) -> dict[str, Any]:
    return {name: {"N": str(v)} if isinstance(v, int) else {"S": v} for name, v in fields.items()}


def _read(value: Mapping[str, Any]) -> str | int:
    """A text or a whole number; of anything else only a text that no reader will take for its own."""
    number = value.get("N", "")
    return int(number) if number.lstrip("-").isdigit() else str(value.get("S", ""))


async def _aside(call: Callable[[], T]) -> T:
    return await asyncio.to_thread(_call, call)


def _call(call: Callable[[], T]) -> T:
    try:
        return call()
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") == "ConditionalCheckFailedException":
            raise _TakenError from error
        raise StoreFault from error
    except BotoCoreError as error:
        raise StoreFault from error
