"""``make audit-packages`` on a pip-audit and an npm that say what a test wants: no network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from requirements.lock import pins

ROOT = Path(__file__).parents[3]
PIP_AUDIT = """
import json, pathlib, sys
answers = json.loads(pathlib.Path(__file__).with_name("answers.json").read_text())
source = next(word[3:] for word in sys.argv if word.startswith("-s="))
listed = pathlib.Path(sys.argv[-1]).read_text().split()
packages = [dict(zip(("name", "version"), pin.split("=="))) for pin in listed]
if source not in answers:
    raise SystemExit("no route to host")
for package in packages:
    told = {"vulns": answers[source].get("==".join(package.values()), [])}
    package |= told if answers[source] else {"skip_reason": "not found"}
print(json.dumps({"dependencies": packages, "fixes": []}))
"""
FAULT = [{"id": "GHSA-x", "fix_versions": ["9.9"]}]
KNOWING = {"jinja2==2.4.1": FAULT}
PIN = "pydantic==" + pins(ROOT / "requirements/server.txt")["pydantic"]
SILENT = {"auditReportVersion": 2, "vulnerabilities": {}}
OLD_PACKAGE = {"auditReportVersion": 2, "vulnerabilities": {"undici": {"name": "undici", "severity": "high"}}}
REFUSED = {"message": "405 Method Not Allowed"}


def audit(folder: Path, sources: dict[str, Any], npm: Any) -> tuple[int, list[str]]:
    """The audit's end and what it says; an npm of ``None`` is not there."""
    (folder / "pip_audit.py").write_text(PIP_AUDIT)
    (folder / "answers.json").write_text(json.dumps(sources))
    if npm is not None:
        (folder / "npm").write_text(f"#!/bin/sh\necho '{json.dumps(npm)}'\nexit 1\n")
        (folder / "npm").chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(folder), "PATH": f"{folder}:/bin"}
    if npm is None:
        environment["PATH"] = str(folder)
    done = subprocess.run(
        [sys.executable, "requirements/audit.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return done.returncode, done.stdout.splitlines()


def test_nothing_known_of_anything_is_a_zero(tmp_path: Path) -> None:
    assert audit(tmp_path, {"osv": KNOWING}, SILENT) == (
        0,
        ["Python: no known faults", "npm, clients/typescript: no known faults"],
    )


@pytest.mark.parametrize("source", ["osv", "pypi"])
def test_a_known_fault_is_a_one_whichever_source_tells_it(tmp_path: Path, source: str) -> None:
    ended, said = audit(tmp_path, {source: {**KNOWING, PIN: FAULT}}, SILENT)
    assert ended == 1
    assert said[:2] == ["Python: 1 known faults", f"  {PIN.replace('==', ' ')}: GHSA-x, mended in 9.9"]


def test_a_fault_of_the_npm_client_is_a_one(tmp_path: Path) -> None:
    ended, said = audit(tmp_path, {}, OLD_PACKAGE)
    assert ended == 1
    assert said[0].startswith("Python: NOT LOOKED UP")
    assert said[1:] == ["npm, clients/typescript: 1 known faults", "  undici: high"]


@pytest.mark.parametrize("npm", [REFUSED, [], None])
def test_no_word_of_advisories_is_a_three_and_never_a_zero(tmp_path: Path, npm: Any) -> None:
    ended, said = audit(tmp_path, {}, npm)
    assert ended == 3
    assert all("NOT LOOKED UP" in line for line in said)
    assert len(said) == 2


def test_an_index_that_knows_packages_and_no_faults_is_no_source(tmp_path: Path) -> None:
    ended, said = audit(tmp_path, {"osv": {"other==1": FAULT}, "pypi": {}}, SILENT)
    assert (ended, "NOT LOOKED UP" in said[0]) == (3, True)
