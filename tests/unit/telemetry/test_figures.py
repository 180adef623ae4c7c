"""Names of metrics, and the recorder that receives them."""

from __future__ import annotations

import re

from brskills_server import telemetry
from brskills_server.telemetry.figures import CALLS, FIGURES, REQUESTS, UNDER_WAY
from tests.fakes.figures import remembered


def test_names_follow_prometheus_and_are_there_once() -> None:
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)
    for figure in FIGURES:
        assert re.fullmatch("brskills_[a-z_]+", figure.name)
        assert figure.name.endswith("_total") == (figure.kind == "counter")
        assert figure.name.endswith("_seconds") == (figure.kind == "histogram") == bool(figure.buckets)
        assert list(figure.buckets) == sorted(figure.buckets)
        assert not {"le", "instance", "job"} & set(figure.labels) - {"job"}


def test_nothing_is_recorded_without_a_recorder() -> None:
    telemetry.count(CALLS, "x", "free", "counted")
    with remembered() as recorder:
        telemetry.count(CALLS, "x", "free", "counted")
        telemetry.observe(REQUESTS, 0.5, "GET", "/", "200")
        telemetry.add(UNDER_WAY, 2)
    telemetry.count(CALLS, "x", "free", "counted")
    assert recorder.of(CALLS) == {("x", "free", "counted"): 1}
    assert recorder.values == {(REQUESTS.name, "GET", "/", "200"): [0.5]}
    assert recorder.gauges == {UNDER_WAY.name: 2}
