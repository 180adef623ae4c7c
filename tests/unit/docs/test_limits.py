"""docs/limits.md: no route costs more than its table says, and the tests that it names are there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from tests.services.gateway import ROOT

TEXT = (ROOT / "docs/limits.md").read_text(encoding="utf-8")
COLUMNS = ("bytes_out", "reads", "writes", "asked", "paid", "log")


@pytest.fixture(scope="module")
def measured() -> dict[str, list[dict[str, Any]]]:
    """What ``make limits`` counts, by route; in a process of its own, which has services of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.limits", "--counts"],
        cwd=ROOT,
        env={"PYTHONPATH": "layers/shared:.", "PATH": "/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    by_route: dict[str, list[dict[str, Any]]] = {}
    for case in json.loads(done.stdout):
        by_route.setdefault(case["route"], []).append(case)
    return by_route


def documented() -> dict[str, dict[str, int]]:
    """The columns of the first table that do not depend on a machine, by route."""
    table = TEXT.partition("<!-- costs -->")[2].partition("<!-- /costs -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()[2:]]
    return {
        name: dict(zip(COLUMNS, (int(cell.replace(",", "")) for cell in cells[2:]), strict=True))
        for name, *cells in rows
    }


def test_no_route_costs_more_than_the_table_says(measured: dict[str, list[dict[str, Any]]]) -> None:
    assert documented().keys() == measured.keys()
    beyond = {
        f"{route}: {case['name']}": {name: case[name] for name in COLUMNS if case[name] > limits[name]}
        for route, limits in documented().items()
        for case in measured[route]
    }
    assert {name: figures for name, figures in beyond.items() if figures} == {}


def test_no_answer_of_the_measurement_is_an_internal_error(measured: dict[str, list[dict[str, Any]]]) -> None:
    found = {status for cases in measured.values() for case in cases for status in case["status"]}
    assert 500 not in found
    assert {200, 201, 404, 422, 503} <= found


def test_tests_that_are_named_are_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", TEXT)
    assert len(named) > 25
    for path, name in named:
        assert re.search(rf"^def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), name


def test_it_is_short() -> None:
    assert len(TEXT.encode()) <= 12_288
