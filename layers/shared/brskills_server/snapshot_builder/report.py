"""The report of a build: rows read, changes since the previous snapshot, and the cross-check's sample.

It is stored in the snapshot's file, for the next build, and as ``report.json`` beside it, for people.
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.adapters.snapshots.read_only_file import connect
from brskills_server.snapshot_builder.changes import CHANGE_KINDS
from brskills_server.snapshot_builder.read_rows import ReadRows
from brskills_server.snapshot_builder.source_files import PublishedMonth
from brskills_server.snapshot_builder.sources.month import Files

Report = dict[str, Any]


def format_report(
    month: PublishedMonth,
    read: ReadRows,
    counts: Counter[str],
    since: str | None,
    source: Files,
    accepted: Collection[str],
) -> str:
    """Return a report as JSON. ``since``: the previous snapshot's day, in ISO 8601.

    ``accepted``: what the operator took although a check says no.
    """
    names = (
        "companies", "establishments", "unreadable", "orphans", "repeated", "contradicted", "blank",
        "repeated_partners",
    )  # fmt: skip
    report = {
        "day": month.day.isoformat(),
        "files": month.id,
        "source": dict(source),
        **read.as_report(),
        "register": {name: counts[name] for name in names},
        "changes": _changes(counts, since) if since else None,
        "accepted": sorted(accepted),
    }
    return json.dumps(report)


def _changes(counts: Counter[str], since: str) -> Report:
    found: Report = {"since": since}
    for kind in ("companies", "establishments"):
        found[kind] = {change: counts[f"{kind}.{change}"] for change in CHANGE_KINDS}
        found[kind]["fields"] = _below(f"{kind}.fields.", counts)
    found["companies"]["lost"] = _below("companies.lost.", counts)
    return found


def _below(start: str, counts: Counter[str]) -> dict[str, int]:
    return {name.removeprefix(start): n for name, n in sorted(counts.items()) if name.startswith(start)}


def read_report(file: Path) -> Report:
    """Return the report in a snapshot's file; empty if it has none."""
    with closing(connect(file)) as connection:
        row = connection.execute("SELECT value FROM edition WHERE name = 'report'").fetchone()
    return json.loads(row[0]) if row else {}


def read_source(file: Path) -> Files:
    """Return the share's listing of the files that a snapshot was built from; empty if it was a folder."""
    return {name: (size, tag) for name, (size, tag) in read_report(file).get("source", {}).items()}


def write_report(folder: Path, sample: Mapping[str, int]) -> None:
    """Write the report beside the snapshot's file in ``folder``, with the counts of the sample."""
    report = read_report(folder / FILE) | {"sample": dict(sample)}
    report.pop("source", None)
    (folder / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="ascii")
