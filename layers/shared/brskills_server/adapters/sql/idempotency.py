"""Claims, each a row that changes in one transaction with the month's count."""

from brskills_server.accounts.ports import ClaimChanged
from brskills_server.adapters.sql.database import Database, Run, Values
from brskills_server.metering.idempotency_record import IdempotencyRecord, KeptClaim, Step

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

    def read_claim(self, claim: str, now: int) -> KeptClaim | None:
        """One statement."""
        rows = self._counters.run(_READ, id=claim, now=now)
        return KeptClaim(*rows[0]) if rows else None

    def answer_claim(self, claim: IdempotencyRecord, calls: int, now: int) -> bool:
        """One statement."""
        return bool(self._counters.run(_ANSWER, id=claim.id, request=claim.request, calls=calls, now=now))


def count_in_claim(run: Run, step: Step, calls: int) -> None:
    """Count calls in a claim; raises ``ClaimChanged``, which undoes the transaction."""
    values: Values = {
        "id": step.claim.id,
        "request": step.claim.request,
        "calls": calls,
        "answered": step.answered,
        "now": step.now,
    }
    done = run(_ADD, seen=step.calls, **values) if step.calls else run(_BEGIN, ends=step.ends, **values)
    if not done:
        raise ClaimChanged


def take_from_claim(run: Run, step: Step, calls: int) -> None:
    """Take calls from a claim, which ends with its last; raises ``ClaimChanged`` likewise."""
    claim = step.claim
    if not run(_TAKE, id=claim.id, request=claim.request, seen=step.calls, calls=calls):
        raise ClaimChanged
    run(_END, id=claim.id)
