"""One DynamoDB table whose items have the key ``pk`` and ``sk``, both strings."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.adapters.dynamodb.values import Key, decode_item, encode_item, encode_key

_BATCH = 25  # the most that BatchWriteItem takes
_NONE: Mapping[str, Any] = {}


class SortedTable(Table):
    """A table with ranges of items. Every method may raise ``StoreUnavailable``."""

    def query(
        self, pk: str, first: str, last: str, page: int, wanted: str = "", values: Mapping[str, Any] = _NONE
    ) -> Iterator[Item]:
        """Return the items between two sort keys, both included, in their order; ``page``: items a request.

        ``wanted``: a condition that they fulfil, with its ``values`` by placeholder without ``:``. Consistent
        reads of different moments.
        """
        request: dict[str, Any] = {
            "KeyConditionExpression": "pk = :pk AND sk BETWEEN :first AND :last",
            "ExpressionAttributeValues": encode_item(
                {":pk": pk, ":first": first, ":last": last, **{f":{name}": of for name, of in values.items()}}
            ),
            "ConsistentRead": True,
            "Limit": page,
        }
        if wanted:
            request["FilterExpression"] = wanted
        while True:
            answer = self._send("query", TableName=self._name, **request)
            yield from map(decode_item, answer["Items"])
            if "LastEvaluatedKey" not in answer:
                return
            request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def delete_all(self, keys: Iterable[Key]) -> None:
        """Delete items with different keys in batches; if it raises, a part was deleted."""
        waiting = iter(keys)
        while batch := [{"DeleteRequest": {"Key": encode_key(key)}} for key in islice(waiting, _BATCH)]:
            list(self._in_parts("batch_write_item", {self._name: batch}, "UnprocessedItems"))
