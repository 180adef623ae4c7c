"""Metrics of the service, recorded by the process's one recorder: chosen at start, without one nothing is.

No label or value holds anything of a caller.
"""

from typing import Protocol

from brskills_server.telemetry.figures import Figure


class Recorder(Protocol):
    """Receiver of metrics: called by many threads in the middle of calls, it never raises.

    ``labels`` come in the order of ``figure.labels``.
    """

    def count(self, figure: Figure, *labels: str) -> None:
        """Add 1 to a counter."""

    def observe(self, figure: Figure, value: float, *labels: str) -> None:
        """Add a value to a histogram, in the unit that its name ends with."""

    def add(self, figure: Figure, amount: int) -> None:
        """Raise or lower a gauge, which has no labels."""

    def flush(self) -> None:
        """Send what was recorded: an invocation ends, and this process may never have another."""


_recorder: Recorder | None = None


def record_with(recorder: Recorder | None) -> None:
    """Send every metric from now on to this recorder; ``None``: to none."""
    global _recorder  # as with logging, one receiver for the whole process
    _recorder = recorder


def count(figure: Figure, *labels: str) -> None:
    """Add 1 to a counter."""
    if _recorder:
        _recorder.count(figure, *labels)


def observe(figure: Figure, value: float, *labels: str) -> None:
    """Add a value to a histogram."""
    if _recorder:
        _recorder.observe(figure, value, *labels)


def add(figure: Figure, amount: int) -> None:
    """Raise or lower a gauge."""
    if _recorder:
        _recorder.add(figure, amount)


def flush() -> None:
    """Send what was recorded; every function that AWS invokes calls it at its end, also when it fails."""
    if _recorder:
        _recorder.flush()
