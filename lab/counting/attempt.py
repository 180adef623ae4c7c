"""The running request of a worker, for the second count."""

from __future__ import annotations

from dataclasses import dataclass, field

from brskills_server.metering.ledger import Ledger
from lab.counting.recount import Entry
from lab.counting.schedule import ACCOUNT, Request

BYSTANDER = Request(ACCOUNT, 0, 1, (), partial=False, key=None)
"""A later request of another account, with which a worker repeats unconfirmed releases."""


class Death(BaseException):
    """The worker has crashed."""


@dataclass
class Worker:
    """A process. ``failing``: its last operation failed."""

    ledger: Ledger
    is_dead: bool = False
    failing: bool = False
    attempts: list[Attempt] = field(default_factory=list)

    def kill(self) -> None:
        """End the worker: what it still had to answer or to take back stays counted."""
        self.is_dead = True
        for attempt in self.attempts:
            if not attempt.is_over or attempt.is_unconfirmed:
                attempt.entry.orphaned += attempt.counted


@dataclass
class Attempt:
    """A request at work; ``counted``: calls that it counted, or marked as answered, in ``entry``.

    ``is_unconfirmed``: an operation of it failed, and it may have calls that are still to be taken back.
    """

    number: int
    request: Request
    worker: Worker
    claim: str = ""
    entry: Entry = field(default_factory=Entry)
    counted: int = 0
    is_over: bool = False
    is_unconfirmed: bool = False
