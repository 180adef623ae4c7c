"""Idempotency records: items that are written in one transaction with the month's count."""

from typing import Any

from brskills_server.adapters.dynamodb.items import CLAIM, record_of
from brskills_server.adapters.dynamodb.table import DynamoStore, Table
from brskills_server.adapters.dynamodb.values import change
from brskills_server.metering.idempotency_record import IdempotencyRecord, IdempotentRequest, Transition

_NAMES = {"request": "request", "calls": "calls", "answered": "answered"}
_IS_AS_SEEN = "#request = :request AND #calls = :seen"


class DynamoIdempotencyRecords(DynamoStore):
    """The part of ``CallStore`` for records alone."""

    def read_idempotency_record(self, request: str, now: int) -> IdempotencyRecord | None:
        item = self._table.get(CLAIM + request)
        return record_of(item) if item and item["expires_at"] > now else None

    def mark_answered(self, request: IdempotentRequest, calls: int, now: int) -> bool:
        """UpdateItem, and a GetItem if more were answered before."""
        parts = change(
            "SET #answered = :calls",
            _NAMES,
            {"request": request.fingerprint, "calls": calls, "now": now},
            "#request = :request AND #calls >= :calls AND #answered < :calls AND expires_at > :now",
        )
        if self._table.try_update(CLAIM + request.id, parts):
            return True
        record = self.read_idempotency_record(request.id, now)
        return record is not None and record.fingerprint == request.fingerprint and record.answered >= calls


def count_in_record(table: Table, transition: Transition, calls: int) -> dict[str, Any]:
    """Return the write that adds calls to a record."""
    pk, seen = CLAIM + transition.request.id, transition.calls
    values = {"request": transition.request.fingerprint, "now": transition.now}
    if not seen:
        values |= {"calls": calls, "answered": transition.answered, "ends": transition.ends}
        update = "SET #request = :request, #calls = :calls, #answered = :answered, expires_at = :ends"
        condition = "attribute_not_exists(pk) OR expires_at <= :now"
        return table.updating(pk, change(update, _NAMES, values, condition))
    update, names = "ADD #calls :more", {"request": "request", "calls": "calls"}
    values |= {"seen": seen, "more": calls}
    if transition.answered:  # more than the record has counted, and so more than it has answered
        update, names = f"SET #answered = :answered {update}", _NAMES
        values["answered"] = transition.answered
    return table.updating(pk, change(update, names, values, f"{_IS_AS_SEEN} AND expires_at > :now"))


def release_from_record(table: Table, transition: Transition, calls: int) -> dict[str, Any]:
    """Return the write that subtracts calls from a record, or deletes it with its last."""
    left, pk = transition.calls - calls, CLAIM + transition.request.id
    values = {"request": transition.request.fingerprint, "seen": transition.calls, "left": left}
    condition = f"{_IS_AS_SEEN} AND #answered <= :left"
    if left:
        return table.updating(pk, change("SET #calls = :left", _NAMES, values, condition))
    return table.deleting(pk, change("", _NAMES, values, condition))
