"""Idempotency records: rows of ``claims`` that change in one transaction with the month's count."""

from brskills_server.adapters.sql.database import Run, SqlStore, Values
from brskills_server.metering.idempotency_record import IdempotencyRecord, IdempotentRequest, Transition
from brskills_server.metering.ports import RecordChanged

_BEGIN = """
INSERT INTO claims (id, request, calls, answered, expires_at)
VALUES (:id, :request, :calls, :answered, :ends)
ON CONFLICT (id)
DO UPDATE SET request = :request, calls = :calls, answered = :answered, expires_at = :ends
 WHERE claims.expires_at <= :now
RETURNING calls"""
_ADD = """
UPDATE claims
   SET calls = calls + :calls, answered = CASE WHEN answered < :answered THEN :answered ELSE answered END
 WHERE id = :id AND request = :request AND calls = :seen AND expires_at > :now RETURNING calls"""
_RELEASE = """
UPDATE claims SET calls = calls - :calls
 WHERE id = :id AND request = :request AND calls = :seen AND answered <= calls - :calls RETURNING calls"""
_END = "DELETE FROM claims WHERE id = :id AND calls = 0"
_READ = "SELECT request, calls, answered, expires_at FROM claims WHERE id = :id AND expires_at > :now"
_ANSWER = """
UPDATE claims SET answered = CASE WHEN answered < :calls THEN :calls ELSE answered END
 WHERE id = :id AND request = :request AND calls >= :calls AND expires_at > :now RETURNING answered"""


class SqlIdempotencyRecords(SqlStore):
    """The part of ``CallStore`` for records alone, a statement each."""

    def read_idempotency_record(self, request: str, now: int) -> IdempotencyRecord | None:
        rows = self._counters.run(_READ, id=request, now=now)
        return IdempotencyRecord(*rows[0]) if rows else None

    def mark_answered(self, request: IdempotentRequest, calls: int, now: int) -> bool:
        values: Values = {"id": request.id, "request": request.fingerprint, "calls": calls, "now": now}
        return bool(self._counters.run(_ANSWER, **values))


def count_in_record(run: Run, transition: Transition, calls: int) -> None:
    """Add calls to a record. Raise ``RecordChanged``, which undoes the transaction."""
    values: Values = {
        "id": transition.request.id,
        "request": transition.request.fingerprint,
        "calls": calls,
        "answered": transition.answered,
        "now": transition.now,
    }
    if transition.calls:
        done = run(_ADD, seen=transition.calls, **values)
    else:
        done = run(_BEGIN, ends=transition.ends, **values)
    if not done:
        raise RecordChanged


def release_from_record(run: Run, transition: Transition, calls: int) -> None:
    """Subtract calls from a record and delete an empty one. Raise ``RecordChanged`` likewise."""
    request = transition.request
    if not run(_RELEASE, id=request.id, request=request.fingerprint, seen=transition.calls, calls=calls):
        raise RecordChanged
    run(_END, id=request.id)
