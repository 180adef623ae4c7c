"""Counters by day, of names and of all calls together, the salts of pseudonyms, and the keys of proofs."""

from brskills_server.accounts.calendar import shift_month
from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.table import DynamoStore
from brskills_server.adapters.dynamodb.values import change, count_up_to
from brskills_server.telemetry.day_counts import DayCounts

_PROOF_KEYS, _FOREVER = "proof keys", 253_402_300_799  # among the salts, the other secrets of a store


class DynamoWindows(DynamoStore):
    """``WindowStore``, ``SaltStore`` and ``ProofKeyStore``."""

    def read_window(self, name: str) -> dict[str, int]:
        return items.by_name(self._table.get(items.SIGNUP + name) or {}, items.ISSUED)

    def count_in_window(self, name: str, day: str, limit: int, expires_at: int) -> bool:
        parts = count_up_to(limit, items.ISSUED + day, expires_at, 1)
        return limit > 0 and self._table.try_update(items.SIGNUP + name, parts)

    def month_salt(self, month: str, proposed: bytes, expires_at: int) -> bytes:
        """GetItem, and for the first time in a month a PutItem."""
        pk = items.SALT + month
        item = self._table.get(pk)
        if item is None:
            item = {"pk": pk, "salt": proposed, "expires_at": expires_at}
            try:
                self._table.create(item)
            except ConditionFailed:  # another process was first: its salt is the month's
                item = self._table.get(pk) or item
        return bytes(item["salt"])

    def proof_keys(self, proposed: bytes) -> bytes:
        return self.month_salt(_PROOF_KEYS, proposed, _FOREVER)

    def replace_proof_keys(self, known: bytes, replacing: bytes) -> bool:
        values = {"known": known, "replacing": replacing}
        parts = change("SET salt = :replacing", {}, values, "salt = :known")
        return self._table.try_update(items.SALT + _PROOF_KEYS, parts)


class DynamoHistory(DynamoStore):
    """``HistoryStore``."""

    def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
        names = {field: prefix + day for field, prefix in items.DAY_COUNTS.items()}
        values = {**more._asdict(), "ends": expires_at}
        added = ", ".join(f"#{field} :{field}" for field in items.DAY_COUNTS)
        self._table.update(
            items.HISTORY + day[:7], change(f"ADD {added} SET expires_at = :ends", names, values)
        )

    def days(self, first: str, last: str) -> dict[str, DayCounts]:
        months, month = [], first[:7]
        while month <= last[:7]:
            months.append(items.HISTORY + month)
            month = shift_month(month, 1)
        return {
            day: counts
            for item in self._table.get_all(months)
            for day, counts in items.day_counts_of(item).items()
            if first <= day <= last
        }
