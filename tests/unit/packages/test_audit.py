"""``make audit-packages`` with a fake pip-audit and npm, without network."""

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
    found = {"vulns": answers[source].get("==".join(package.values()), [])}
    package |= found if answers[source] else {"skip_reason": "not found"}
print(json.dumps({"dependencies": packages, "fixes": []}))
"""
FAULT = [{"id": "GHSA-x", "fix_versions": ["9.9"]}]
KNOWING = {"jinja2==2.4.1": FAULT}
PIN = "pydantic==" + pins(ROOT / "requirements/server.txt")["pydantic"]
SILENT = {"auditReportVersion": 2, "vulnerabilities": {}}
OLD_PACKAGE = {"auditReportVersion": 2, "vulnerabilities": {"undici": {"name": "undici", "severity": "high"}}}
REFUSED = {"message": "405 Method Not Allowed"}


def audit(folder: Path, sources: dict[str, Any], npm: Any) -> tuple[int, list[str]]:
    """Return exit code and lines of the audit; without npm if it is ``None``."""
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


def test_without_advisories_it_exits_with_0(tmp_path: Path) -> None:
    assert audit(tmp_path, {"osv": KNOWING}, SILENT) == (
        0,
        ["Python: no known vulnerabilities", "npm, clients/typescript: no known vulnerabilities"],
    )


@pytest.mark.parametrize("source", ["osv", "pypi"])
def test_an_advisory_of_either_source_exits_with_1(tmp_path: Path, source: str) -> None:
    ended, said = audit(tmp_path, {source: {**KNOWING, PIN: FAULT}}, SILENT)
    assert ended == 1
    assert said[:2] == [
        "Python: 1 known vulnerabilities",
        f"  {PIN.replace('==', ' ')}: GHSA-x, fixed in 9.9",
    ]


def test_an_advisory_for_the_npm_client_exits_with_1(tmp_path: Path) -> None:
    ended, said = audit(tmp_path, {}, OLD_PACKAGE)
    assert ended == 1
    assert said[0].startswith("Python: NOT LOOKED UP")
    assert said[1:] == ["npm, clients/typescript: 1 known vulnerabilities", "  undici: high"]


@pytest.mark.parametrize("npm", [REFUSED, [], None])
def test_without_a_source_it_exits_with_3(tmp_path: Path, npm: Any) -> None:
    ended, said = audit(tmp_path, {}, npm)
    assert ended == 3
    assert all("NOT LOOKED UP" in line for line in said)
    assert len(said) == 2


def test_an_index_without_advisories_is_no_source(tmp_path: Path) -> None:
    ended, said = audit(tmp_path, {"osv": {"other==1": FAULT}, "pypi": {}}, SILENT)
    assert (ended, "NOT LOOKED UP" in said[0]) == (3, True)
