"""Claims, each a row that changes in one transaction with the month's count."""

from brskills_server.adapters.sql.database import Database, Run, Values
from brskills_server.metering.idempotency_record import IdempotencyRecord, IdempotentRequest, Transition
from brskills_server.metering.ports import RecordChanged

__all__ = ["SqlClaims", "count_in_claim", "take_from_claim"]

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
_TAKE = """
UPDATE claims SET calls = calls - :calls
 WHERE id = :id AND request = :request AND calls = :seen AND answered <= calls - :calls RETURNING calls"""
_END = "DELETE FROM claims WHERE id = :id AND calls = 0"
_READ = "SELECT request, calls, answered, expires_at FROM claims WHERE id = :id AND expires_at > :now"
_ANSWER = """
UPDATE claims SET answered = CASE WHEN answered < :calls THEN :calls ELSE answered END
 WHERE id = :id AND request = :request AND calls >= :calls AND expires_at > :now RETURNING answered"""


class SqlClaims:
    """What of ``brskills_server.accounts.ports.CallStore`` concerns claims alone."""

    def __init__(self, counters: Database) -> None:
        self._counters = counters

    def read_idempotency_record(self, claim: str, now: int) -> IdempotencyRecord | None:
        """One statement."""
        rows = self._counters.run(_READ, id=claim, now=now)
        return IdempotencyRecord(*rows[0]) if rows else None

    def mark_answered(self, claim: IdempotentRequest, calls: int, now: int) -> bool:
        """One statement."""
        return bool(self._counters.run(_ANSWER, id=claim.id, request=claim.fingerprint, calls=calls, now=now))


def count_in_claim(run: Run, transition: Transition, calls: int) -> None:
    """Count calls in a claim; raises ``RecordChanged``, which undoes the transaction."""
    values: Values = {
        "id": transition.request.id,
        "request": transition.request.fingerprint,
        "calls": calls,
        "answered": transition.answered,
        "now": transition.now,
    }
    done = (
        run(_ADD, seen=transition.calls, **values)
        if transition.calls
        else run(_BEGIN, ends=transition.ends, **values)
    )
    if not done:
        raise RecordChanged


def take_from_claim(run: Run, transition: Transition, calls: int) -> None:
    """Take calls from a claim, which ends with its last; raises ``RecordChanged`` likewise."""
    claim = transition.request
    if not run(_TAKE, id=claim.id, request=claim.fingerprint, seen=transition.calls, calls=calls):
        raise RecordChanged
    run(_END, id=claim.id)
