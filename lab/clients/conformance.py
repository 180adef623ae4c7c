"""The official conformance suite, by the scenarios that need no fixtures.

The others expect tools and prompts ``test_…`` or resources ``test://…``, or sampling and subscriptions, which
this server does not have: ``prompts-get-…``, ``resources-read-…``, ``completion-complete`` among them.
Within a scenario, what it calls "not testable" for want of such a tool is not a failure either. The suite's
client states no extension, so that those of skills go through a relay that does.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from lab.clients.environments import NODE_PACKAGES
from lab.clients.stating_relay import stating_relay

SCENARIOS = (
    ("server-initialize", "2025-06-18"),
    ("server-initialize", "2025-11-25"),
    ("ping", "2025-11-25"),
    ("tools-list", "2025-11-25"),
    ("dns-rebinding-protection", "2025-11-25"),
    ("resources-list", "2025-11-25"),
    ("prompts-list", "2025-11-25"),
    ("server-stateless", "2026-07-28"),
    ("tools-list", "2026-07-28"),
    ("http-header-validation", "2026-07-28"),
    ("dns-rebinding-protection", "2026-07-28"),
    ("resources-list", "2026-07-28"),
    ("sep-2164-resource-not-found", "2026-07-28"),
    ("prompts-list", "2026-07-28"),
    ("caching", "2026-07-28"),
)
EXTENSIONS = {
    "sep-2640-skills-enumeration": "io.modelcontextprotocol/skills",
    "sep-2640-skills-manifest": "io.modelcontextprotocol/skills",
}
"""Scenarios of an extension, which belong to no revision and run at any with ``--force``."""


def run_extension(scenario: str, revision: str, url: str, folder: Path, env: dict[str, str]) -> str:
    """Do as `run_scenario` for a client that states the scenario's extension."""
    with stating_relay(url, EXTENSIONS[scenario]) as relay:
        return run_scenario(scenario, revision, relay, folder, env, "--force")


def run_scenario(
    scenario: str, revision: str, url: str, folder: Path, env: dict[str, str], *more: str
) -> str:
    """Return the number of passed checks. Raise `AssertionError` with the failed ones."""
    output = folder / f"{scenario}-{revision}"
    options = ["--url", url, "--scenario", scenario, "--spec-version", revision, "-o", output, *more]
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
