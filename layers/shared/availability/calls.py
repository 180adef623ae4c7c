"""What became of the calls of one request."""

from typing import Any

__all__ = ["FACTS", "Calls"]

FACTS = "facts"
"""Where an event of the gateway's holds a mapping for what its own log is to tell of the call."""


class Calls:
    """Calls of a skill in one request that were due an answer.

    ``part``: the part of the service that they hang on, ``pix``, ``cnpj`` or ``custom``; empty where the
    request is for nothing that is counted.
    """

    __slots__ = ("answered", "failed", "part")

    def __init__(self) -> None:
        self.part = ""
        self.answered = 0
        self.failed = 0

    @property
    def due(self) -> int:
        """All of them."""
        return self.answered + self.failed

    @property
    def facts(self) -> dict[str, Any]:
        """What a log tells of them: from these lines the history can be recounted."""
        return {"calls": self.due, "failed": self.failed} if self.due else {}

    def tell(self, part: str, answered: int, failed: int) -> None:
        """So many were answered and so many failed."""
        self.part, self.answered, self.failed = part, answered, failed

    def fail(self, part: str) -> None:
        """The whole request has failed, also what was answered in it already; it held one call at least."""
        self.tell(part, 0, max(1, self.due))

    def drop(self) -> None:
        """The request was refused after all, so that no answer was due."""
        self.tell(self.part, 0, 0)
