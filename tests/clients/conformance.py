"""The official conformance suite, by the scenarios that concern a server of tools alone.

The others expect resources, prompts, sampling or tools of their own (``test_…``), which this server does
not have; within a scenario, what it calls "not testable" for want of such a tool is not a failure either.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.clients.environments import NODE_PACKAGES

SCENARIOS = (
    ("server-initialize", "2025-06-18"),
    ("server-initialize", "2025-11-25"),
    ("ping", "2025-11-25"),
    ("tools-list", "2025-11-25"),
    ("dns-rebinding-protection", "2025-11-25"),
    ("server-stateless", "2026-07-28"),
    ("tools-list", "2026-07-28"),
    ("http-header-validation", "2026-07-28"),
    ("dns-rebinding-protection", "2026-07-28"),
)


def run_scenario(scenario: str, revision: str, url: str, folder: Path, env: dict[str, str]) -> str:
    """Return the number of passed checks. Raise `AssertionError` with the failed ones."""
    output = folder / f"{scenario}-{revision}"
    options = ["--url", url, "--scenario", scenario, "--spec-version", revision, "-o", output]
    command = [NODE_PACKAGES / "node_modules/.bin/conformance", "server", *options]
    subprocess.run(command, env=env, capture_output=True, check=False)
    (found,) = output.glob("*/checks.json")
    checks = json.loads(found.read_text())
    failed = [check for check in checks if check["status"] in {"FAILURE", "WARNING"}]
    wrong = [check for check in failed if not check.get("errorMessage", "").startswith("Not testable:")]
    assert not wrong, json.dumps(wrong, indent=1)
    passed = sum(check["status"] == "SUCCESS" for check in checks)
    assert passed, "nothing was checked"
    return f"{passed} checks, {len(failed)} not testable" if failed else f"{passed} checks"
