"""The examples that need nothing installed do what they say; ``make e2e-mcp`` runs the others."""

import os
import subprocess
import sys

import pytest

from tests.services.gateway import ROOT

EXAMPLES = ROOT / "examples"


@pytest.mark.parametrize(
    ("program", "example", "shown"),
    [
        ("sh", "curl.sh", ['"brcode":"000201', '"fonte":"sandbox"']),
        (sys.executable, "pix.py", ["000201"]),
        (sys.executable, "openai_tools.py", ['"fonte":"sandbox"']),
    ],
)
def test_an_example_runs_as_it_is(base, tmp_path, program, example, shown) -> None:
    environment = {**os.environ, "BRSKILLS_URL": base}
    done = subprocess.run(
        [program, EXAMPLES / example],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert all(part in done.stdout for part in shown)
    if example == "curl.sh":
        assert (tmp_path / "pix.png").read_bytes().startswith(b"\x89PNG")
