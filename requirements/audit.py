"""``make audit-packages``: whether faults are known of the packages in the lists, and of the npm client's.

Ends with 0 where all were looked up and none has a known fault, with 1 where one has, and with 3 where no
source of advisories could be reached, which says nothing of the packages. (make itself ends with 2 on either,
and its last line has this code.)
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from lock import LISTS, ROOT, pins

__all__ = ["main"]

SOURCES = ("osv", "pypi")
KNOWN_FAULTY = ("jinja2", "2.4.1")
"""A source that knows no fault of this one knows none of any: an index without advisories answers, too."""
NPM_LOCKS = ("clients/typescript",)
FAULTY, UNKNOWN = 1, 3


class Looked(NamedTuple):
    """What came of a look: whether anybody could tell, and the faults, a line each."""

    told: bool
    faults: list[str]


def main() -> None:
    """Look at both; ends with the code that the module's text names."""
    looked = [_report("Python", _python())]
    looked += [_report(f"npm, {folder}", _npm(folder)) for folder in NPM_LOCKS]
    if any(one.faults for one in looked):
        sys.exit(FAULTY)
    if not all(one.told for one in looked):
        sys.exit(UNKNOWN)


def _report(what: str, looked: Looked) -> Looked:
    if not looked.told:
        print(f"{what}: NOT LOOKED UP: no source of advisories could be reached")
    else:
        print(f"{what}: {len(looked.faults) or 'no'} known faults")
    for fault in looked.faults:
        print(f"  {fault}")
    return looked


def _python() -> Looked:
    """Every version in every list, by the first source that shows that it knows of faults."""
    listed = {pin for source in LISTS for pin in pins(source.with_suffix(".txt")).items()}
    for source in SOURCES:
        if _ask(source, [KNOWN_FAULTY]).faults:
            asked = [_ask(source, pinned) for pinned in _apart(listed)]
            return Looked(all(one.told for one in asked), [fault for one in asked for fault in one.faults])
    return Looked(False, [])


def _apart(listed: set[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """The pins in groups with one version of a package each, as pip-audit takes them."""
    groups: list[dict[str, str]] = []
    for name, version in sorted(listed):
        group = next((group for group in groups if name not in group), None)
        if group is None:
            groups.append(group := {})
        group[name] = version
    return [list(group.items()) for group in groups]


def _ask(source: str, pinned: list[tuple[str, str]]) -> Looked:
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "pins.txt"
        listed.write_text("".join(f"{name}=={version}\n" for name, version in pinned), encoding="utf-8")
        options = ["--format=json", "--progress-spinner=off", "--no-deps", "--disable-pip", f"-s={source}"]
        answer = _run([sys.executable, "-m", "pip_audit", *options, "-r", str(listed)], ROOT)
    packages = answer.get("dependencies", [])
    return Looked(
        len(packages) == len(pinned) and not any("skip_reason" in package for package in packages),
        [
            f"{package['name']} {package['version']}: {fault['id']}, mended in "
            f"{', '.join(fault['fix_versions']) or 'no version'}"
            for package in packages
            for fault in package.get("vulns", [])
        ],
    )


def _npm(folder: str) -> Looked:
    answer = _run(["npm", "audit", "--json", "--package-lock-only"], ROOT / folder)
    faulty = answer.get("vulnerabilities", {}).values()
    return Looked("auditReportVersion" in answer, [f"{one['name']}: {one['severity']}" for one in faulty])


def _run(command: list[str], folder: Path) -> dict[str, Any]:
    """The JSON object that a command prints; empty where it prints none, or is not there."""
    try:
        done = subprocess.run(  # noqa: S603, our own words
            command, cwd=folder, check=False, capture_output=True, text=True
        )
        answer = json.loads(done.stdout)
    except (OSError, ValueError):
        return {}
    return answer if isinstance(answer, dict) else {}


if __name__ == "__main__":
    main()
