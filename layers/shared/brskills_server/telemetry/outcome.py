"""The outcome of a skill's calls in one request, and the one place that records it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from brskills_server.telemetry.day_counts import DayCounts
from brskills_server.telemetry.figures import ANSWERS, CALLS
from brskills_server.telemetry.recorder import count
from brskills_server.telemetry.tally import Tally

__all__ = ["LOG_FIELDS", "CallOutcome", "record_outcome"]

LOG_FIELDS = "log_fields"
"""The member of the gateway's events that holds a mapping; the function adds what the gateway logs."""


@dataclass(slots=True)
class CallOutcome:
    """Outcome of one request: a call of a skill, or the calls of a batch.

    ``part``: the part of the service that availability counts it for, ``pix``, ``cnpj`` or ``custom``; empty
    where it counts none. ``items``: ``counted``, ``free``, ``refused`` or ``failed`` for each call, and
    ``plan`` of the account where the ledger was read. ``answered`` and ``failed``: the calls that availability
    counts. ``add_grant_usage``: adds what the request cost to the OAuth grant that it used.
    """

    part: str = ""
    is_demo: bool = False
    skill: str = ""
    plan: str | None = None
    items: Sequence[str] = ()
    answered: int = 0
    failed: int = 0
    add_grant_usage: Callable[[], None] | None = None

    def set_items(self, skill: str, plan: str | None, part: str, items: Sequence[str]) -> None:
        """Set what came of each call of a skill."""
        self.skill, self.plan, self.items, self.part = skill, plan, items, part
        if part:
            self.failed = items.count("failed")
            self.answered = len(items) - self.failed - items.count("refused")

    def end_with(self, outcome: str) -> None:
        """Set how the request as a whole ended: ``failed`` and ``refused`` override the calls in it."""
        if outcome == "failed" and self.part:
            self.answered, self.failed = 0, max(1, self.answered + self.failed)
        elif outcome == "refused":
            self.answered = self.failed = 0


def record_outcome(outcome: CallOutcome, tally: Tally | None) -> dict[str, Any]:
    """Record an outcome in metrics, the day's counts and the grant's usage; return the fields for the log.

    ``tally``: ``None`` where a function counts no availability.
    """
    for item in outcome.items:
        count(CALLS, outcome.skill, outcome.plan or "unknown", item)
    if outcome.add_grant_usage:
        outcome.add_grant_usage()
    answered, failed = outcome.answered, outcome.failed
    calls = answered + failed
    if not calls or not tally:
        return {}
    if outcome.is_demo:
        tally.add(outcome.part, DayCounts(0, 0, calls, failed))
        return {"demo_calls": calls, "demo_failed": failed}
    for kind, number in (("answered", answered), ("failed", failed)):
        for _ in range(number):
            count(ANSWERS, kind)
    tally.add(outcome.part, DayCounts(calls, failed))
    return {"calls": calls, "failed": failed}
