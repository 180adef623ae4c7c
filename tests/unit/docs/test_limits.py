"""No route costs more than the table of docs/evidence/limits.md has."""

import json
import subprocess
import sys

from tests.services.gateway import ROOT

TEXT = (ROOT / "docs/evidence/limits.md").read_text(encoding="utf-8")
COLUMNS = ("bytes_out", "reads", "writes", "asked", "paid", "log")


def documented() -> dict[str, dict[str, int]]:
    """Return the columns of the table that do not depend on a machine, by route."""
    table = TEXT.partition("<!-- costs -->")[2].partition("<!-- /costs -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()[2:]]
    return {
        name: dict(zip(COLUMNS, (int(cell.replace(",", "")) for cell in cells[2:]), strict=True))
        for name, *cells in rows
    }


def test_no_route_costs_more_than_the_table_and_none_fails() -> None:
    done = subprocess.run(  # in a process with separate services
        [sys.executable, "-m", "lab.limits", "--counts"],
        cwd=ROOT,
        env={"PYTHONPATH": "layers/shared:.", "PATH": "/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    cases = json.loads(done.stdout)
    limits = documented()
    assert limits.keys() == {case["route"] for case in cases}
    beyond = [
        (case["route"], case["name"], column, case[column])
        for case in cases
        for column in COLUMNS
        if case[column] > limits[case["route"]][column]
    ]
    assert beyond == []
    statuses = {status for case in cases for status in case["status"]}
    assert 500 not in statuses
    assert {200, 201, 404, 422, 503} <= statuses
