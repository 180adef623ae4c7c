"""Metrics for Prometheus: each process writes files in one folder, and the first process serves their sum.

prometheus_client reads the folder from the environment at its import, so it is imported afterwards.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

from uvicorn import Server

from brskills_server.gateway.server_config import bind, server_config
from brskills_server.telemetry import record_with
from brskills_server.telemetry.figures import FIGURES, Figure

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class PrometheusRecorder:
    """A ``telemetry.Recorder`` that finds a series by its labels once."""

    def __init__(self) -> None:
        self._metrics = {figure.name: _metric(figure) for figure in FIGURES}
        self._series: dict[tuple[str, ...], Any] = {}

    def count(self, figure: Figure, *labels: str) -> None:
        """As ``Recorder.count``."""
        self._series_of(figure, labels).inc()

    def observe(self, figure: Figure, value: float, *labels: str) -> None:
        """As ``Recorder.observe``."""
        self._series_of(figure, labels).observe(value)

    def add(self, figure: Figure, amount: int) -> None:
        """As ``Recorder.add``."""
        self._metrics[figure.name].inc(amount)

    def flush(self) -> None:
        """Do nothing: Prometheus reads the metrics itself."""

    def _series_of(self, figure: Figure, labels: tuple[str, ...]) -> Any:
        key = (figure.name, *labels)
        found = self._series.get(key)
        if found is None:
            metric = self._metrics[figure.name]
            found = self._series[key] = metric.labels(*labels) if labels else metric
        return found


def _metric(figure: Figure) -> Any:
    from prometheus_client import Counter, Gauge, Histogram  # see the module's docstring

    name, text, labels = figure.name, figure.text, figure.labels
    match figure.kind:
        case "counter":
            return Counter(name, text, labels, registry=None)
        case "histogram":
            return Histogram(name, text, labels, registry=None, buckets=figure.buckets)
        case "gauge":
            return Gauge(name, text, labels, registry=None, multiprocess_mode="livesum")


@contextmanager
def serve_metrics(host: str, port: int) -> Iterator[str]:
    """Serve metrics of this process and its children; yield the folder of their files. Raise ``OSError``."""
    with bind(host, port) as listener, TemporaryDirectory(prefix="brskills-metrics-") as folder:
        os.environ[_FOLDER] = folder
        from prometheus_client import CollectorRegistry, make_asgi_app
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = CollectorRegistry()
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        application = make_asgi_app(registry)
        server = Server(
            server_config(application, timeout_graceful_shutdown=1, log_config=None, lifespan="off")
        )
        thread = threading.Thread(target=server.run, args=([listener],), name="metrics")
        record_with(PrometheusRecorder())
        try:
            thread.start()
            yield folder
        finally:
            record_with(None)
            server.should_exit = True
            if thread.is_alive():
                thread.join()


def forget_worker(process_id: int) -> None:
    """Remove the gauges of a worker that ended; its counters remain."""
    if _FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(process_id)  # type: ignore[no-untyped-call]
