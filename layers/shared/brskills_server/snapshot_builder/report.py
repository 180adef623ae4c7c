"""What came of a build: what was read, what changed since the month before, what the sample showed.

It is in the month's file, where the next build finds it, and as ``report.json`` beside it, for people.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from brskills_server.adapters.snapshots.folder import FILE, connect
from brskills_server.snapshot_builder.changes import FATES
from brskills_server.snapshot_builder.source_files import PublishedMonth
from brskills_server.snapshot_builder.sources import Files

__all__ = ["described", "read_report", "source_of", "write_report"]

Report = dict[str, Any]


def described(
    month: PublishedMonth,
    rows: Mapping[str, Mapping[str, int]],
    counts: Counter[str],
    since: date | None,
    source: Files,
) -> str:
    """JSON of a month. ``rows``: of the files, by kind; ``since``: the day of the month before, if any;
    ``source``: the files as a share lists them."""
    names = ("companies", "establishments", "unreadable", "orphans", "repeated", "contradicted")
    report = {
        "day": month.day.isoformat(),
        "files": month.id,
        "source": dict(source),
        "rows": rows,
        "register": {name: counts[name] for name in names},
        "changes": _changes(counts, since) if since else None,
    }
    return json.dumps(report)


def _changes(counts: Counter[str], since: date) -> Report:
    found: Report = {"since": since.isoformat()}
    for kind in ("companies", "establishments"):
        start = f"{kind}.fields."
        fields = {name.removeprefix(start): n for name, n in sorted(counts.items()) if name.startswith(start)}
        found[kind] = {fate: counts[f"{kind}.{fate}"] for fate in FATES} | {"fields": fields}
    return found


def read_report(file: Path) -> Report:
    """The report in a month's file; empty where there is none."""
    with closing(connect(file)) as connection:
        row = connection.execute("SELECT value FROM edition WHERE name = 'report'").fetchone()
    return json.loads(row[0]) if row else {}


def source_of(file: Path) -> Files:
    """The files that a month was made of, as the share listed them; empty where it was made of a folder's."""
    return {name: (size, tag) for name, (size, tag) in read_report(file).get("source", {}).items()}


def write_report(folder: Path, sample: Mapping[str, int]) -> None:
    """Beside the month's file in ``folder``, with what the sample showed."""
    report = read_report(folder / FILE) | {"sample": dict(sample)}
    report.pop("source", None)
    (folder / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="ascii")
