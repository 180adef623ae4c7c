"""Figures for CloudWatch: what is told in an invocation goes out at its end, as one line of the log.

The line is in the embedded metric format, which CloudWatch reads by itself: no call to AWS, nothing that
could fail or that a caller would wait for. It has the metrics (``brskills_server.telemetry.metrics``) and, under ``told``,
what they sum up, with every label, for whoever searches the log. Nothing of a caller is in either.
"""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING

from brskills_server.telemetry.metrics import full_name, metric_of

if TYPE_CHECKING:
    from brskills_server.telemetry import Figure

__all__ = ["CloudWatchRecorder"]


class CloudWatchRecorder:
    """``telemetry.Recorder``. Powertools reads namespace and service from the environment by itself."""

    def __init__(self) -> None:
        self._lock = Lock()  # the registry's loop tells from a thread of its own
        self._counts: Counter[tuple[Figure, tuple[str, ...]]] = Counter()
        self._values: dict[str, list[float]] = {}

    def count(self, figure: Figure, *labels: str) -> None:
        """As ``Recorder.count``."""
        with self._lock:
            self._counts[figure, labels] += 1

    def observe(self, figure: Figure, value: float, *labels: str) -> None:
        """As ``Recorder.observe``."""
        metric = metric_of(figure, labels)
        if metric:
            with self._lock:
                self._values.setdefault(metric, []).append(value)

    def add(self, figure: Figure, amount: int) -> None:
        """A gauge is of one process, of which AWS has as many as it likes: it is not told."""

    def flush(self) -> None:
        """Print what was told since the last time, if anything was."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
            values, self._values = self._values, {}
        sums: Counter[str] = Counter()
        told: dict[str, int] = {}
        for (figure, labels), number in counts.items():
            metric = metric_of(figure, labels)
            if metric:
                sums[metric] += number
                if metric != (name := full_name(figure, labels)):
                    told[name] = number
        if sums or values:
            _print(sums, values, told)


def _print(sums: Counter[str], values: dict[str, list[float]], told: dict[str, int]) -> None:
    # Here and not above: the authorizer, which tells only of what failed, would else load Powertools, too.
    from aws_lambda_powertools.metrics import EphemeralMetrics

    metrics = EphemeralMetrics()
    # It prints by itself what has a hundred values, and goes on; so the counts, of one value each, come last.
    for name, found in values.items():
        for value in found:
            metrics.add_metric(name, "Seconds", round(value, 4))
    for name, number in sums.items():
        metrics.add_metric(name, "Count", number)
    if told:
        metrics.add_metadata("told", told)
    metrics.flush_metrics()
