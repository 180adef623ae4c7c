"""The way from one snapshot to another through the steps of the register's history."""

from __future__ import annotations

from typing import NamedTuple

from brskills_server.registry.snapshot.changes import invert
from brskills_server.registry.snapshot.history import RegisterHistory, Step, StepRows


class Part(NamedTuple):
    """A step on the way. ``said_by``: itself, or where it is undone the first one that is not."""

    step: Step
    said_by: Step

    def rows(self, bodies: dict[str, str], cnpj: str) -> StepRows:
        """Return its rows of a company, of all its bodies by key. Raise ``ValueError`` for malformed ones."""
        company, establishment = bodies.get(cnpj[:8], ""), bodies.get(cnpj, "")
        if self.step != self.said_by:
            company, establishment = invert(company), invert(establishment)
        return StepRows(self.said_by, company, establishment)


def find_path(history: RegisterHistory, start: str, end: str) -> list[Part] | None:
    """Return the parts of the way between snapshots, last one first; ``None`` where none is known.

    What leads back to an ancestor of both is undone first. Empty where ``end`` is an ancestor of ``start``.
    Raise as ``RegisterHistory.steps``.
    """
    back, forward = history.steps(start), history.steps(end)
    behind, ahead = (
        [name, *(step.since for step in steps)] for name, steps in ((start, back), (end, forward))
    )
    meeting = next((name for name in behind if name in ahead), None)
    if meeting is None:
        return None
    done = forward[: ahead.index(meeting)]
    undone = back[: behind.index(meeting)][::-1] if done else []
    return [*(Part(step, step) for step in done), *(Part(step, done[-1]) for step in undone)]
