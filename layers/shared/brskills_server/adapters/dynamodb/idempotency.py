"""Claims, each an item that is written in one transaction with the month's count."""

from __future__ import annotations

from typing import Any

from brskills_server.adapters.dynamodb.items import CLAIM, claim_from
from brskills_server.adapters.dynamodb.table import Table
from brskills_server.adapters.dynamodb.values import change
from brskills_server.metering.idempotency_record import IdempotencyRecord, IdempotentRequest, Transition

__all__ = ["DynamoClaims", "count_in_claim", "take_from_claim"]

_NAMES = {"request": "request", "calls": "calls", "answered": "answered"}
_IS_AS_SEEN = "#request = :request AND #calls = :seen"


class DynamoClaims:
    """What of ``brskills_server.accounts.ports.CallStore`` concerns claims alone."""

    _table: Table

    def read_idempotency_record(self, claim: str, now: int) -> IdempotencyRecord | None:
        """One GetItem."""
        item = self._table.get(CLAIM + claim)
        return claim_from(item) if item and item["expires_at"] > now else None

    def mark_answered(self, claim: IdempotentRequest, calls: int, now: int) -> bool:
        """One UpdateItem, and where more were answered before, a GetItem."""
        parts = change(
            "SET #answered = :calls",
            _NAMES,
            {"request": claim.fingerprint, "calls": calls, "now": now},
            "#request = :request AND #calls >= :calls AND #answered < :calls AND expires_at > :now",
        )
        if self._table.try_update(CLAIM + claim.id, parts):
            return True
        kept = self.read_idempotency_record(claim.id, now)
        return kept is not None and kept.fingerprint == claim.fingerprint and kept.answered >= calls


def count_in_claim(table: Table, transition: Transition, calls: int) -> dict[str, Any]:
    """The write that counts calls in a claim."""
    pk, values = (
        CLAIM + transition.request.id,
        {"request": transition.request.fingerprint, "now": transition.now},
    )
    if not transition.calls:
        values |= {"calls": calls, "answered": transition.answered, "ends": transition.ends}
        update = "SET #request = :request, #calls = :calls, #answered = :answered, expires_at = :ends"
        condition = "attribute_not_exists(pk) OR expires_at <= :now"
        return table.updating(pk, change(update, _NAMES, values, condition))
    update, names = "ADD #calls :more", {"request": "request", "calls": "calls"}
    values |= {"seen": transition.calls, "more": calls}
    if transition.answered:  # so many are not counted yet, and so were not answered
        update, names = f"SET #answered = :answered {update}", _NAMES
        values["answered"] = transition.answered
    return table.updating(pk, change(update, names, values, f"{_IS_AS_SEEN} AND expires_at > :now"))


def take_from_claim(table: Table, transition: Transition, calls: int) -> dict[str, Any]:
    """The write that takes calls from a claim, which ends with its last."""
    left, pk = transition.calls - calls, CLAIM + transition.request.id
    values = {"request": transition.request.fingerprint, "seen": transition.calls, "left": left}
    condition = f"{_IS_AS_SEEN} AND #answered <= :left"
    if left:
        return table.updating(pk, change("SET #calls = :left", _NAMES, values, condition))
    return table.deleting(pk, _NAMES, values, condition)
