"""The examples that need nothing installed do what they say; ``make e2e-mcp`` runs the others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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
def test_an_example_runs_as_it_is(
    base: str, tmp_path: Path, program: str, example: str, shown: list[str]
) -> None:
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


def test_the_client_configuration_names_the_local_server() -> None:
    server = json.loads((EXAMPLES / "mcp.json").read_text())["mcpServers"]["brskills"]
    assert server["url"] == "http://127.0.0.1:8000/mcp"
    assert set(server["headers"]) == {"X-API-Key"}


def test_examples_are_short() -> None:
    for example in EXAMPLES.glob("*.*"):
        lines = [line for line in example.read_text().splitlines() if line and line[0] not in '"#/']
        most = 50 if example.name == "sign_in.py" else 10  # signing in is eight steps and a server
        assert example.suffix == ".md" or len(lines) <= most, example.name
