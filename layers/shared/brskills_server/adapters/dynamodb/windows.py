"""Counters by name and day, and the salts of pseudonyms."""

from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.items import ISSUED, SALT, SIGNUP, by_name
from brskills_server.adapters.dynamodb.table import DynamoStore
from brskills_server.adapters.dynamodb.values import count_up_to


class DynamoWindows(DynamoStore):
    """``WindowStore`` and ``SaltStore``."""

    def read_window(self, name: str) -> dict[str, int]:
        return by_name(self._table.get(SIGNUP + name) or {}, ISSUED)

    def count_in_window(self, name: str, day: str, limit: int, expires_at: int) -> bool:
        parts = count_up_to(limit, ISSUED + day, expires_at, 1)
        return limit > 0 and self._table.try_update(SIGNUP + name, parts)

    def month_salt(self, month: str, proposed: bytes, expires_at: int) -> bytes:
        """GetItem, and for the first time in a month a PutItem."""
        pk = SALT + month
        item = self._table.get(pk)
        if item is None:
            item = {"pk": pk, "salt": proposed, "expires_at": expires_at}
            try:
                self._table.create(item)
            except ConditionFailed:  # another process was first: its salt is the month's
                item = self._table.get(pk) or item
        return bytes(item["salt"])
