"""The port: what is told of figures goes to one recorder of the process, which is chosen where it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from brskills_server.telemetry.figures import Figure

__all__ = ["Recorder", "add", "count", "flush", "observe", "record_with"]


class Recorder(Protocol):
    """Keeps figures. Every method is called by many threads, in the middle of calls, and never raises.

    ``labels`` come in the order of ``figure.labels``.
    """

    def count(self, figure: Figure, *labels: str) -> None:
        """One more of a counter."""

    def observe(self, figure: Figure, value: float, *labels: str) -> None:
        """One value of a histogram, in the unit that its name ends with."""

    def add(self, figure: Figure, amount: int) -> None:
        """Raise or lower a gauge, which has no labels."""

    def flush(self) -> None:
        """Let go what was told: an invocation ends, and this process may never have another."""


class _Nobody:
    def count(self, figure: Figure, *labels: str) -> None:
        pass

    def observe(self, figure: Figure, value: float, *labels: str) -> None:
        pass

    def add(self, figure: Figure, amount: int) -> None:
        pass

    def flush(self) -> None:
        pass


_recorder: Recorder = _Nobody()


def record_with(recorder: Recorder | None) -> None:
    """Tell everything from now on to this recorder; ``None``: to nobody."""
    global _recorder  # as with logging, what happens anywhere in a process goes to one place
    _recorder = _Nobody() if recorder is None else recorder


def count(figure: Figure, *labels: str) -> None:
    """As ``Recorder.count``."""
    _recorder.count(figure, *labels)


def observe(figure: Figure, value: float, *labels: str) -> None:
    """As ``Recorder.observe``."""
    _recorder.observe(figure, value, *labels)


def add(figure: Figure, amount: int) -> None:
    """As ``Recorder.add``."""
    _recorder.add(figure, amount)


def flush() -> None:
    """As ``Recorder.flush``: whatever AWS invokes calls it at its end, also when it fails."""
    _recorder.flush()
