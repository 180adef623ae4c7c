"""The figures are named once, and told to nobody unless somebody asks for them."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from brskills_server import telemetry
from brskills_server.telemetry import FIGURES
from brskills_server.telemetry.figures import CALLS, REQUESTS, UNDER_WAY
from tests.fakes.figures import remembered
from tests.services.gateway import ROOT


def test_names_follow_prometheus_and_are_there_once() -> None:
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)
    for figure in FIGURES:
        assert re.fullmatch("brskills_[a-z_]+", figure.name)
        assert figure.name.endswith("_total") == (figure.kind == "counter")
        assert figure.name.endswith("_seconds") == (figure.kind == "histogram") == bool(figure.buckets)
        assert list(figure.buckets) == sorted(figure.buckets)
        assert not {"le", "instance", "job"} & set(figure.labels) - {"job"}


def test_the_documented_table_is_the_one_of_the_code() -> None:
    rows = [
        f"| `{figure.name}` | {figure.kind} | {', '.join(figure.labels) or 'none'} | {figure.text} |"
        for figure in FIGURES
    ]
    document = (ROOT / "docs/on-premise.md").read_text(encoding="utf-8")
    assert "\n".join(["| Figure | Kind | Labels | |", "|---|---|---|---|", *rows, ""]) in document


def test_nobody_is_told_unless_a_recorder_was_chosen() -> None:
    telemetry.count(CALLS, "x", "free", "counted")
    with remembered() as recorder:
        telemetry.count(CALLS, "x", "free", "counted")
        telemetry.observe(REQUESTS, 0.5, "GET", "/", "200")
        telemetry.add(UNDER_WAY, 2)
    telemetry.count(CALLS, "x", "free", "counted")
    assert recorder.of(CALLS) == {("x", "free", "counted"): 1}
    assert recorder.values == {(REQUESTS.name, "GET", "/", "200"): [0.5]}
    assert recorder.gauges == {UNDER_WAY.name: 2}


def test_it_imports_the_standard_library_alone() -> None:
    for path in Path(telemetry.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names | {"telemetry"}, path
