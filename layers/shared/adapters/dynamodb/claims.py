"""Claims, each an item that is written in one transaction with the month's count."""

from __future__ import annotations

from typing import Any

from access.claim import KeptClaim, Step
from adapters.dynamodb.items import CLAIM, claim_from
from adapters.dynamodb.table import Table
from adapters.dynamodb.values import change

__all__ = ["DynamoClaims", "count_in_claim", "take_from_claim"]

_IS_AS_SEEN = "#request = :request AND #calls = :seen AND expires_at > :now"


class DynamoClaims:
    """What of ``access.ports.CallStore`` concerns claims alone."""

    _table: Table

    def read_claim(self, claim: str, now: int) -> KeptClaim | None:
        """One GetItem."""
        item = self._table.get(CLAIM + claim)
        return claim_from(item) if item and item["expires_at"] > now else None

    def answer_claim(self, claim: str, calls: int, now: int) -> bool:
        """One UpdateItem, and where more were answered before, a GetItem."""
        names = {"calls": "calls", "answered": "answered"}
        parts = change(
            "SET #answered = :calls",
            names,
            {"calls": calls, "now": now},
            "#calls >= :calls AND #answered < :calls AND expires_at > :now",
        )
        if self._table.try_update(CLAIM + claim, parts):
            return True
        kept = self.read_claim(claim, now)
        return kept is not None and kept.answered >= calls


def count_in_claim(table: Table, step: Step, calls: int) -> dict[str, Any]:
    """The write that counts calls in a claim."""
    claim, names = step.claim, {"request": "request", "calls": "calls"}
    if step.calls:
        values = {"request": claim.request, "seen": step.calls, "more": calls, "now": step.now}
        parts = change("ADD #calls :more", names, values, _IS_AS_SEEN)
    else:
        fields = {"request": claim.request, "calls": calls, "ends": step.ends, "none": 0, "now": step.now}
        parts = change(
            "SET #request = :request, #calls = :calls, #answered = :none, expires_at = :ends",
            names | {"answered": "answered"},
            fields,
            "attribute_not_exists(pk) OR expires_at <= :now",
        )
    return table.updating(CLAIM + claim.id, parts)


def take_from_claim(table: Table, step: Step, calls: int) -> dict[str, Any]:
    """The write that takes calls from a claim, which ends with its last."""
    left, names = step.calls - calls, {"calls": "calls", "answered": "answered"}
    condition = "#calls = :seen AND #answered <= :left"
    if left:
        values = {"seen": step.calls, "left": left, "less": -calls}
        return table.updating(CLAIM + step.claim.id, change("ADD #calls :less", names, values, condition))
    return table.deleting(CLAIM + step.claim.id, names, {"seen": step.calls, "left": left}, condition)
