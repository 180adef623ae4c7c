"""The record of a task, and the changes of its state (SEP-2663)."""

import re
import secrets
from typing import Any, NamedTuple, Self

WORKING, COMPLETED, FAILED, CANCELLED = "working", "completed", "failed", "cancelled"

KEPT_SECONDS = 3_600
"""From its creation on a task may be read for so long."""

START_SECONDS = 10
"""How long a process may take to begin a run; then another may be started."""

LEASE_SECONDS = 30
"""How long a run is left alone: longer than any part of its work, after each of which it renews its lease."""

MOST_RUNS = 5
"""Runs that a task has at most: one whose worker ends each time is given up."""

MOST_WORKING = 4
"""Working tasks of one account; beyond them a call is answered as if there were none."""

MOST_OUTCOME_BYTES = 390_000
"""Of an outcome, deflated: DynamoDB takes 400 KB an item, its names and key included."""

_ID = re.compile("task_[0-9a-f]{32}")


class Task(NamedTuple):
    """A call of a tool. Times are Unix seconds.

    ``scope``: that a token needs to read it. ``request``: what a run needs, as JSON; empty once the task has
    ended. ``outcome``, as JSON: the result if it is completed, the error if it has failed; while it works,
    how many items of how many are done, or nothing. ``version`` grows with each change. ``runs``: begun.
    ``lease_ends``: until when it is started or run by a process.
    """

    id: str
    account: str
    scope: str
    request: str
    created_at: int
    updated_at: int
    expires_at: int
    lease_ends: int
    status: str = WORKING
    version: int = 1
    runs: int = 0
    outcome: str = ""

    @property
    def is_working(self) -> bool:
        """Whether it has not ended."""
        return self.status == WORKING

    def is_abandoned(self, now: int) -> bool:
        """Whether no process runs it; a lease by a wrong clock is none."""
        return self.is_working and not now < self.lease_ends <= now + LEASE_SECONDS

    def start(self, now: int, request: str) -> Self:
        """Return the task for which a process is started, with what that needs."""
        return self._changed(now, lease_ends=now + START_SECONDS, request=request)

    def begin(self, now: int) -> Self:
        """Return the task of a run that begins."""
        return self._changed(now, lease_ends=now + LEASE_SECONDS, runs=self.runs + 1, outcome="")

    def renew(self, now: int, outcome: str) -> Self:
        """Return the task of a run that continues, with what it has done."""
        return self._changed(now, lease_ends=now + LEASE_SECONDS, outcome=outcome)

    def give_back(self, now: int) -> Self:
        """Return the task of a run that stops before its end, for another one."""
        return self._changed(now, lease_ends=now)

    def end(self, now: int, status: str, outcome: str = "") -> Self:
        """Return the task as it ends."""
        return self._changed(now, status=status, outcome=outcome, request="", lease_ends=0)

    def _changed(self, now: int, **fields: Any) -> Self:
        return self._replace(version=self.version + 1, updated_at=now, **fields)


def is_id(text: str) -> bool:
    """Return whether a text has the form of a task's id: stores take no others."""
    return _ID.fullmatch(text) is not None


def new_task(account: str, scope: str, request: str, now: int) -> Task:
    """Return a task for which a process is started; its id cannot be guessed."""
    name = f"task_{secrets.token_hex(16)}"
    return Task(name, account, scope, request, now, now, now + KEPT_SECONDS, now + START_SECONDS)
