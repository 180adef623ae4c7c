"""What can go wrong while a month's files are brought in."""

from __future__ import annotations

__all__ = ["Changed", "Passing", "SourceFault"]


class SourceFault(ValueError):
    """The files cannot be had. ``faults``: one line for each reason, which ``str`` joins.

    No line holds user info, an address's path, or text of a server that was not cleaned first.
    """

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class Passing(Exception):
    """An attempt failed, and the next may not. ``retry_after``: seconds that the server asks for."""

    def __init__(self, reason: str, retry_after: float = 0) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class Changed(Exception):
    """What the share sends is not what it has listed: a new listing must tell what is right."""
