"""A request that is to be counted once, however often it is sent (draft-ietf-httpapi-idempotency-key-header).

Nothing of a request or its answer is kept, only hashes and how many calls were counted for it.
"""

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

from brskills_server.accounts import calendar as month
from brskills_server.accounts.account import Caller

__all__ = ["ATTEMPT_SECONDS", "CLAIM_SECONDS", "IdempotencyRecord", "KeptClaim", "Step", "claim_of"]

CLAIM_SECONDS = 24 * 60 * 60
"""How long a request may be repeated under the same ``Idempotency-Key``."""

ATTEMPT_SECONDS = 60
"""By then a request is answered, or whoever was at it has died: none is given so long."""


class IdempotencyRecord(NamedTuple):
    """A caller's request under a key of theirs. ``id``: hash of both; ``request``: hash of what is asked."""

    id: str
    request: str


@dataclass(frozen=True, slots=True)
class KeptClaim:
    """What the store has of a claim.

    ``calls``: how many were counted for it and not taken back. ``answered``: so many of them were answered to
    somebody, and must not be taken back any more. ``expires_at``: Unix seconds.
    """

    request: str
    calls: int
    answered: int
    expires_at: int

    @property
    def begun(self) -> int:
        """When it was first counted, in Unix seconds."""
        return self.expires_at - CLAIM_SECONDS

    @property
    def unanswered(self) -> int:
        """Calls that somebody still works for, or died at."""
        return self.calls - self.answered

    def abandoned(self, now: int) -> int:
        """Those of them that nobody works for any more, if they were counted in the month of ``now``."""
        is_over = now - self.begun >= ATTEMPT_SECONDS and month.name_of(self.begun) == month.name_of(now)
        return self.unanswered if is_over else 0


class Step(NamedTuple):
    """The change of a claim from the ``calls`` that it had ``now``. One that is new expires at ``ends``.

    Where calls are added, ``answered`` of all are answered with it.
    """

    claim: IdempotencyRecord
    calls: int
    now: int
    ends: int = 0
    answered: int = 0


def claim_of(caller: Caller, key: str, request: bytes) -> IdempotencyRecord:
    """The claim of a ``request``, in whatever form is the same for the same request, under ``key``."""
    owner = "\0".join((caller.account, caller.address, key)).encode()
    # With the key in it, what was asked cannot be found by trying: there are few numbers of companies.
    return IdempotencyRecord(
        hashlib.sha256(owner).hexdigest(), hashlib.sha256(owner + b"\0" + request).hexdigest()
    )
