"""Metrics for CloudWatch: one log line at the end of an invocation, in the embedded metric format.

CloudWatch reads the line without a call to AWS. It has the metrics (``brskills_server.telemetry.metrics``)
and, under ``dimensions``, the counts by every label, for searches of the log. Neither has data of a caller.
"""

from collections import Counter
from threading import Lock

from brskills_server.telemetry.figures import Figure
from brskills_server.telemetry.metrics import full_name, metric_of


class CloudWatchRecorder:
    """``telemetry.Recorder``. Powertools reads namespace and service from the environment."""

    def __init__(self) -> None:
        self._lock = Lock()  # the registry's event loop records in another thread
        self._counts: Counter[tuple[Figure, tuple[str, ...]]] = Counter()
        self._values: dict[str, list[float]] = {}

    def count(self, figure: Figure, *labels: str) -> None:
        """Count one, as ``Recorder.count``."""
        with self._lock:
            self._counts[figure, labels] += 1

    def observe(self, figure: Figure, value: float, *labels: str) -> None:
        """Record a value, as ``Recorder.observe``."""
        metric = metric_of(figure, labels)
        if metric:
            with self._lock:
                self._values.setdefault(metric, []).append(value)

    def add(self, figure: Figure, amount: int) -> None:
        """Do nothing: a gauge is of one process, and AWS runs any number."""

    def flush(self) -> None:
        """Print what was recorded since the last call, if anything."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
            values, self._values = self._values, {}
        sums: Counter[str] = Counter()
        dimensions: dict[str, int] = {}
        for (figure, labels), number in counts.items():
            metric = metric_of(figure, labels)
            if metric:
                sums[metric] += number
                if metric != (name := full_name(figure, labels)):
                    dimensions[name] = number
        if sums or values:
            _print(sums, values, dimensions)


def _print(sums: Counter[str], values: dict[str, list[float]], dimensions: dict[str, int]) -> None:
    # Slow to import, and the authorizer records only failures.
    from aws_lambda_powertools.metrics import EphemeralMetrics

    metrics = EphemeralMetrics()
    # It prints and continues after a hundred values; so the counts, of one value each, come last.
    for name, found in values.items():
        for value in found:
            metrics.add_metric(name, "Seconds", round(value, 4))
    for name, number in sums.items():
        metrics.add_metric(name, "Count", number)
    if dimensions:
        metrics.add_metadata("dimensions", dimensions)
    metrics.flush_metrics()
