"""What became of the calls of one request."""

from typing import Any

from brskills_server.telemetry.availability.day_counts import DayCounts

__all__ = ["FACTS", "Calls"]

FACTS = "facts"
"""Where an event of the gateway's holds a mapping for what its own log is to tell of the call."""


class Calls:
    """Calls of a skill in one request that were due an answer.

    ``part``: the part of the service that they hang on, ``pix``, ``cnpj`` or ``custom``; empty where the
    request is for nothing that is counted. ``is_demo``: the caller uses the demo key.
    """

    __slots__ = ("answered", "failed", "is_demo", "part")

    def __init__(self) -> None:
        self.part = ""
        self.is_demo = False
        self.answered = 0
        self.failed = 0

    @property
    def due(self) -> int:
        """All of them."""
        return self.answered + self.failed

    @property
    def facts(self) -> dict[str, Any]:
        """What a log tells of them: from these lines the history can be recounted."""
        if not self.due:
            return {}
        names = ("demo_calls", "demo_failed") if self.is_demo else ("calls", "failed")
        return dict(zip(names, (self.due, self.failed), strict=True))

    @property
    def counts(self) -> DayCounts:
        """All of them, as a part of the day."""
        if self.is_demo:
            return DayCounts(0, 0, self.due, self.failed)
        return DayCounts(self.due, self.failed)

    def tell(self, part: str, answered: int, failed: int) -> None:
        """So many were answered and so many failed."""
        self.part, self.answered, self.failed = part, answered, failed

    def fail(self, part: str) -> None:
        """The whole request has failed, also what was answered in it already; it held one call at least."""
        self.tell(part, 0, max(1, self.due))

    def drop(self) -> None:
        """The request was refused after all, so that no answer was due."""
        self.tell(self.part, 0, 0)
