"""Exceptions of a build."""


class SnapshotError(Exception):
    """A command that cannot be carried out; the snapshot in place is unchanged.

    ``reasons``: a line each for the operator, without content of rows, user info, or paths of addresses.
    """

    def __init__(self, *reasons: str) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


class PreviousDamagedError(SnapshotError):
    """The snapshot in place cannot be read, so that nothing can be compared with it."""


class TransientError(Exception):
    """A failed attempt that may be repeated, at the earliest after ``retry_after`` seconds."""

    def __init__(self, reason: str, retry_after: float = 0) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class SourceChangedError(Exception):
    """A share that sends another file than it has listed: a new listing is needed."""
