"""What came of a build, kept beside the month's file: what was read, what changed since the month before."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from copy_builder.changes import FATES

__all__ = ["changes_of", "read_report", "register_of", "write_report"]

_NAME = "report.json"

Report = dict[str, Any]


def write_report(folder: Path, report: Report) -> None:
    """Beside the month's file in ``folder``."""
    (folder / _NAME).write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_report(folder: Path) -> Report:
    """A month's report; empty where it cannot be read."""
    try:
        found = json.loads((folder / _NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def register_of(counts: Counter[str]) -> Report:
    """How many companies and establishments the month has, and what its files had of odd rows."""
    names = ("companies", "establishments", "unreadable", "orphans", "repeated", "contradicted")
    return {name: counts[name] for name in names}


def changes_of(counts: Counter[str], since: date | None) -> Report | None:
    """What changed since the month before, if there was one."""
    if since is None:
        return None
    found: Report = {"since": since.isoformat()}
    for kind in ("companies", "establishments"):
        fields = {
            n.rpartition(".")[2]: c for n, c in sorted(counts.items()) if n.startswith(f"{kind}.fields.")
        }
        found[kind] = {what: counts[f"{kind}.{what}"] for what in FATES} | {"fields": fields}
    return found
