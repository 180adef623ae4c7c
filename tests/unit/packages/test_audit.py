"""``make audit-packages`` with a fake pip-audit and npm, without network."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from requirements.lock import pins

ROOT = Path(__file__).parents[3]
FAULT = [{"id": "GHSA-x", "fix_versions": ["9.9"]}]
KNOWING = {"jinja2==2.4.1": FAULT}
PIN = "pydantic==" + pins(ROOT / "requirements/server.txt")["pydantic"]
SILENT = {"auditReportVersion": 2, "vulnerabilities": {}}
OLD_PACKAGE = {"auditReportVersion": 2, "vulnerabilities": {"undici": {"name": "undici", "severity": "high"}}}
REFUSED = {"message": "405 Method Not Allowed"}


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run the audit; return its exit code and lines."""
    monkeypatch.syspath_prepend(ROOT / "requirements")
    module = importlib.import_module("audit")

    def run(sources: dict[str, Any], npm: Any) -> tuple[int, list[str]]:
        def answer(command: list[str], _folder: Path) -> Any:
            if command[0] == "npm":
                return npm
            source = next(word[3:] for word in command if word.startswith("-s="))
            if source not in sources:
                return {}
            listed = Path(command[-1]).read_text().split()
            packages = [dict(zip(("name", "version"), pin.split("=="), strict=True)) for pin in listed]
            for pin, package in zip(listed, packages, strict=True):
                vulns = {"vulns": sources[source].get(pin, [])}
                package |= vulns if sources[source] else {"skip_reason": "not found"}
            return {"dependencies": packages, "fixes": []}

        monkeypatch.setattr(module, "_run", answer)
        try:
            module.main()
        except SystemExit as end:
            return int(end.code or 0), capsys.readouterr().out.splitlines()
        return 0, capsys.readouterr().out.splitlines()

    return run


def test_without_advisories_it_exits_with_0(audit: Callable[..., Any]) -> None:
    assert audit({"osv": KNOWING}, SILENT) == (
        0,
        ["Python: no known vulnerabilities", "npm, clients/typescript: no known vulnerabilities"],
    )


@pytest.mark.parametrize("source", ["osv", "pypi"])
def test_an_advisory_of_either_source_exits_with_1(audit: Callable[..., Any], source: str) -> None:
    ended, said = audit({source: {**KNOWING, PIN: FAULT}}, SILENT)
    assert ended == 1
    assert said[:2] == [
        "Python: 1 known vulnerabilities",
        f"  {PIN.replace('==', ' ')}: GHSA-x, fixed in 9.9",
    ]


def test_an_advisory_for_the_npm_client_exits_with_1(audit: Callable[..., Any]) -> None:
    ended, said = audit({}, OLD_PACKAGE)
    assert ended == 1
    assert said[0].startswith("Python: NOT LOOKED UP")
    assert said[1:] == ["npm, clients/typescript: 1 known vulnerabilities", "  undici: high"]


def test_without_a_source_it_exits_with_3(audit: Callable[..., Any]) -> None:
    ended, said = audit({}, REFUSED)
    assert ended == 3
    assert all("NOT LOOKED UP" in line for line in said)
    assert len(said) == 2


def test_an_index_without_advisories_is_no_source(audit: Callable[..., Any]) -> None:
    ended, said = audit({"osv": {"other==1": FAULT}, "pypi": {}}, SILENT)
    assert (ended, "NOT LOOKED UP" in said[0]) == (3, True)


@pytest.mark.parametrize("command", [["no-such-program"], [sys.executable, "-c", "print([])"]])
def test_a_command_without_an_object_is_no_answer(audit: Callable[..., Any], command: list[str]) -> None:
    run = importlib.reload(sys.modules["audit"])._run
    assert run(command, ROOT) == {}
