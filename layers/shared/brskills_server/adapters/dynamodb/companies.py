"""Companies in DynamoDB: one item a company, and one for the shared state of the sources.

Table: partition key ``pk`` (S), time to live ``expires_at`` (N, Unix seconds), on demand. Readers check the
age; the time to live only deletes.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.client import ConditionFailed, send
from brskills_server.adapters.dynamodb.values import assign, change, encode_item
from brskills_server.registry.store import Fields, StoreFault

_MANY_SECONDS, _PAUSE = 1.0, 0.05
COMPANY, SOURCES = "COMPANY#", "SOURCES"
_SOURCES_KEY = encode_item({"pk": SOURCES})


class DynamoCompanies:
    """``registry.store.Store``; the client's short time-outs, without retries, bound every operation."""

    def __init__(self, client: Any, table_name: str) -> None:
        self._client = client
        self._name = table_name

    def load(self, cnpj: str) -> Fields | None:
        return _plain(self._send("get_item", Key=_key(cnpj)).get("Item", {})) or None

    def load_many(self, cnpjs: Sequence[str]) -> Mapping[str, Fields]:
        """Ask once, and again for what DynamoDB left out, for a second; then return what there is."""
        ends = time.monotonic() + _MANY_SECONDS
        asked: Any = {self._name: {"Keys": [_key(cnpj) for cnpj in cnpjs]}}
        found: dict[str, Fields] = {}
        while asked:
            answer = self._ask("batch_get_item", RequestItems=asked)
            for item in answer["Responses"].get(self._name, ()):
                found[item["pk"]["S"].removeprefix(COMPANY)] = _plain(item)
            asked = answer.get("UnprocessedKeys")
            if asked and time.monotonic() + _PAUSE >= ends:
                break
            time.sleep(_PAUSE if asked else 0)
        return found

    def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        item = encode_item({**entry, "expires_at": expires_at})
        self._send("put_item", Item=_key(cnpj) | item)

    def state(self) -> Fields:
        return _plain(self._send("get_item", Key=_SOURCES_KEY).get("Item", {}))

    def set_state(self, changes: Fields) -> None:
        self._send("update_item", Key=_SOURCES_KEY, **change(*assign(changes)))

    def claim(self, field: str, value: int, at_most: int) -> bool:
        condition = "attribute_not_exists(#field) OR #field <= :most"
        values = {"value": value, "most": at_most}
        parts = change("SET #field = :value", {"field": field}, values, condition)
        try:
            self._send("update_item", Key=_SOURCES_KEY, **parts)
        except ConditionFailed:
            return False
        return True

    def _send(self, operation: str, **request: Any) -> dict[str, Any]:
        return self._ask(operation, TableName=self._name, **request)

    def _ask(self, operation: str, **request: Any) -> dict[str, Any]:
        try:
            return send(getattr(self._client, operation), **request)
        except StoreUnavailable as failure:
            raise StoreFault(str(failure)) from failure


def _key(cnpj: str) -> dict[str, Any]:
    return encode_item({"pk": COMPANY + cnpj})


def _plain(item: Mapping[str, Any]) -> Fields:
    return {name: _read(value) for name, value in item.items()}


def _read(value: Mapping[str, Any]) -> str | int:
    """Return a text or an integer; anything else as a text that no reader accepts."""
    number = value.get("N", "")
    return int(number) if number.lstrip("-").isdigit() else str(value.get("S", ""))
