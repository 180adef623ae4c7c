"""Exceptions of a build."""

from __future__ import annotations

__all__ = ["SnapshotError", "SourceChangedError", "TransientError"]


class SnapshotError(Exception):
    """A command cannot be carried out; the snapshot in place is unchanged.

    ``reasons``: one line each for the operator, without content of a row, user info, or a path of an address.
    """

    def __init__(self, *reasons: str) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


class TransientError(Exception):
    """A failed attempt that may be repeated, not before ``retry_after`` seconds."""

    def __init__(self, reason: str, retry_after: float = 0) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class SourceChangedError(Exception):
    """A share that sends another file than it lists: a new listing is needed."""
