"""``make audit-packages``: look up known vulnerabilities of the listed packages and of the npm client's.

Exit code 0: none is known; 1: at least one is; 3: no source of advisories could be reached. (make itself
exits with 2 for both, and its last line has this code.)
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from lock import LISTS, ROOT, pins

SOURCES = ("osv", "pypi")
KNOWN_VULNERABLE = ("jinja2", "2.4.1")
"""A package with vulnerabilities: a source that has none for it is an index without advisories."""
NPM_LOCKS = ("clients/typescript",)
VULNERABLE, UNKNOWN = 1, 3


class Result(NamedTuple):
    """A look-up: whether a source was reached, and the vulnerabilities, a line each."""

    is_complete: bool
    vulnerabilities: list[str]


def main() -> None:
    """Look up Python and npm packages. Exit with the code of the result."""
    results = [_report("Python", _python())]
    results += [_report(f"npm, {folder}", _npm(folder)) for folder in NPM_LOCKS]
    if any(one.vulnerabilities for one in results):
        sys.exit(VULNERABLE)
    if not all(one.is_complete for one in results):
        sys.exit(UNKNOWN)


def _report(name: str, result: Result) -> Result:
    if not result.is_complete:
        print(f"{name}: NOT LOOKED UP: no source of advisories could be reached")
    else:
        print(f"{name}: {len(result.vulnerabilities) or 'no'} known vulnerabilities")
    for line in result.vulnerabilities:
        print(f"  {line}")
    return result


def _python() -> Result:
    """Look up every version of every list at the first source that has advisories."""
    listed = {pin for source in LISTS for pin in pins(source.with_suffix(".txt")).items()}
    for source in SOURCES:
        if _query(source, [KNOWN_VULNERABLE]).vulnerabilities:
            results = [_query(source, pinned) for pinned in _split(listed)]
            return Result(
                all(one.is_complete for one in results),
                [line for one in results for line in one.vulnerabilities],
            )
    return Result(False, [])


def _split(listed: set[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Split pins into groups with one version of each package, as pip-audit needs."""
    groups: list[dict[str, str]] = []
    for name, version in sorted(listed):
        group = next((group for group in groups if name not in group), None)
        if group is None:
            groups.append(group := {})
        group[name] = version
    return [list(group.items()) for group in groups]


def _query(source: str, pinned: list[tuple[str, str]]) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "pins.txt"
        listed.write_text("".join(f"{name}=={version}\n" for name, version in pinned), encoding="utf-8")
        options = ["--format=json", "--progress-spinner=off", "--no-deps", "--disable-pip", f"-s={source}"]
        answer = _run([sys.executable, "-m", "pip_audit", *options, "-r", str(listed)], ROOT)
    packages = answer.get("dependencies", [])
    return Result(
        len(packages) == len(pinned) and not any("skip_reason" in package for package in packages),
        [
            f"{package['name']} {package['version']}: {found['id']}, fixed in "
            f"{', '.join(found['fix_versions']) or 'no version'}"
            for package in packages
            for found in package.get("vulns", [])
        ],
    )


def _npm(folder: str) -> Result:
    answer = _run(["npm", "audit", "--json", "--package-lock-only"], ROOT / folder)
    found = answer.get("vulnerabilities", {}).values()
    return Result("auditReportVersion" in answer, [f"{one['name']}: {one['severity']}" for one in found])


def _run(command: list[str], folder: Path) -> dict[str, Any]:
    """Return the JSON object that a command prints, empty if it prints none or does not exist."""
    try:
        done = subprocess.run(  # noqa: S603, fixed commands
            command, cwd=folder, check=False, capture_output=True, text=True
        )
        answer = json.loads(done.stdout)
    except (OSError, ValueError):
        return {}
    return answer if isinstance(answer, dict) else {}


if __name__ == "__main__":
    main()
