"""A recorder that keeps what is recorded."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from brskills_server.telemetry import record_with
from brskills_server.telemetry.figures import Figure


class Remembered:
    """``telemetry.Recorder``: counts by name and labels, and observed values in their order."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, ...]] = Counter()
        self.values: dict[tuple[str, ...], list[float]] = {}
        self.gauges: Counter[str] = Counter()
        self.flushed = 0

    def count(self, figure: Figure, *labels: str) -> None:
        assert len(labels) == len(figure.labels)
        self.counts[figure.name, *labels] += 1

    def observe(self, figure: Figure, value: float, *labels: str) -> None:
        assert len(labels) == len(figure.labels)
        self.values.setdefault((figure.name, *labels), []).append(value)

    def add(self, figure: Figure, amount: int) -> None:
        self.gauges[figure.name] += amount

    def flush(self) -> None:
        self.flushed += 1

    def of(self, figure: Figure) -> dict[tuple[str, ...], int]:
        """A counter's values by their labels."""
        return {tuple(key[1:]): counted for key, counted in self.counts.items() if key[0] == figure.name}


@contextmanager
def remembered() -> Iterator[Remembered]:
    """Yield the recorder of the block."""
    recorder = Remembered()
    record_with(recorder)
    try:
        yield recorder
    finally:
        record_with(None)
