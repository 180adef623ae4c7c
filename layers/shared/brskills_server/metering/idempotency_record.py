"""Values for counting a repeated request once (draft-ietf-httpapi-idempotency-key-header).

Only hashes and counts are stored, nothing of a request or its answer.
"""

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

from brskills_server.accounts import calendar
from brskills_server.accounts.account import Caller

RECORD_SECONDS = 24 * 60 * 60
"""How long a request may be repeated under the same ``Idempotency-Key``."""

ATTEMPT_SECONDS = 60
"""After this time an attempt is answered or has crashed: no request may run longer."""


class IdempotentRequest(NamedTuple):
    """A request under an ``Idempotency-Key``: hashes of caller and key, and of these and the content."""

    id: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class IdempotencyRecord:
    """Stored counts of an idempotent request.

    ``calls``: counted and not released; ``answered``: those of them that an answer used, which must stay
    counted; ``expires_at``: Unix seconds.
    """

    fingerprint: str
    calls: int
    answered: int
    expires_at: int

    @property
    def begun(self) -> int:
        """Unix seconds of the first count."""
        return self.expires_at - RECORD_SECONDS

    @property
    def unanswered(self) -> int:
        """Calls of attempts that are running or have crashed."""
        return self.calls - self.answered

    def abandoned(self, now: int) -> int:
        """Return the unanswered calls of crashed attempts, if they were counted in the month of ``now``."""
        is_over = now - self.begun >= ATTEMPT_SECONDS
        same_month = calendar.month_name(self.begun) == calendar.month_name(now)
        return self.unanswered if is_over and same_month else 0


class Transition(NamedTuple):
    """A change of a record that has ``calls`` at ``now``; a new record expires at ``ends``.

    When calls are added, the record has at least ``answered`` answered calls afterwards.
    """

    request: IdempotentRequest
    calls: int
    now: int
    ends: int = 0
    answered: int = 0


def identify_request(caller: Caller, key: str, content: bytes) -> IdempotentRequest:
    """Return the identity of a request. ``content``: canonical, equal for equal requests."""
    owner = "\0".join((caller.account, caller.address, key)).encode()
    # The key is part of the fingerprint, since few company numbers exist and could be tried one by one.
    fingerprint = hashlib.sha256(owner + b"\0" + content).hexdigest()
    return IdempotentRequest(hashlib.sha256(owner).hexdigest(), fingerprint)
