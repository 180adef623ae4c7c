"""Checks that a month must pass before its snapshot is put in place. Each raises `SnapshotError`."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from brskills_server.snapshot_builder.cross_check import Sample
from brskills_server.snapshot_builder.errors import SnapshotError

_MAX_REJECTED_SHARE, _MAX_REJECTED = 1e-4, 20
"""Of a kind's rows; the number applies to small files."""
_MIN_GROWTH, _MAX_GROWTH = 0.90, 1.25
"""Rows of a kind, relative to the previous snapshot's."""
_MAX_ODD_SHARE, _MAX_GONE_SHARE = 0.001, 0.02
"""Of establishments: odd rows, and those gone since the previous snapshot; the register deletes none."""
_TOLERANCE = 100
"""Rows allowed beyond each of these shares."""
_MAX_DIFFERENT_SHARE = 0.01
"""Of the sample: two parsers may read an odd row differently."""

_ODD_ROWS = {
    "orphans": "without a row of their company",
    "repeated": "rows that exist twice",
    "contradicted": "rows that contradict others",
    "unreadable": "rows that cannot be read with certainty",
}

Counts = Mapping[str, Mapping[str, int]]
"""Kind of file → number of ``rows`` and of ``rejected`` rows."""


def check_day(day: date, current: date | None) -> None:
    """Check that a month is not older than the snapshot in place."""
    if current and day < current:
        raise SnapshotError(
            f"the files are of {day}, and the snapshot in place is of {current}: only rollback goes back"
        )


def check_rejects(counts: Counts) -> None:
    """Check the share of rejected rows of each kind."""
    issues = [
        f"{kind}: {of_kind['rejected']:,} of {of_kind['rows']:,} rows cannot be read"
        for kind, of_kind in counts.items()
        if of_kind["rejected"] > max(_MAX_REJECTED, _MAX_REJECTED_SHARE * of_kind["rows"])
    ]
    issues += [
        f"{kind}: there are no rows"
        for kind in ("Empresas", "Estabelecimentos")
        if counts[kind]["rows"] == counts[kind]["rejected"]
    ]
    _raise_issues(issues)


def check_rows(counts: Counts, previous: Counts) -> None:
    """Check the number of rows of each kind against the previous snapshot's, if there is one."""
    issues = []
    for kind in counts.keys() & previous.keys():
        rows, before = counts[kind]["rows"], previous[kind]["rows"]
        least, most = max(int(before * _MIN_GROWTH) - _TOLERANCE, 0), int(before * _MAX_GROWTH) + _TOLERANCE
        if not least <= rows <= most:
            issues.append(f"{kind}: {rows:,} rows, and {least:,} to {most:,} after the month before")
    _raise_issues(sorted(issues))


def check_register(register: Mapping[str, int], changes: Mapping[str, Any] | None) -> None:
    """Check the odd rows of the joined files, and how many have gone since the previous snapshot.

    This finds a file that is a copy of another, or of another month (docs/operate/register.md).
    """
    total = register["establishments"]
    most = _TOLERANCE + int(_MAX_ODD_SHARE * total)
    issues = [
        f"{register[name]:,} {what} among {total:,} establishments"
        for name, what in _ODD_ROWS.items()
        if register[name] > most
    ]
    gone = changes["establishments"]["gone"] if changes else 0
    if gone > _TOLERANCE + int(_MAX_GONE_SHARE * (total + gone)):
        issues.append(f"{gone:,} establishments have gone since the month before, and {total:,} are left")
    _raise_issues(issues)


def check_sample(sample: Sample) -> None:
    """Check the share of look-ups that differ in the cross-check."""
    compared, different = sample["compared"], sample["different"]
    if not compared:
        raise SnapshotError("no company of the sample could be compared")
    if different > _MAX_DIFFERENT_SHARE * compared:
        fields = ", ".join(
            f"{name.partition('.')[2]} {n}" for name, n in sorted(sample.items()) if "." in name
        )
        raise SnapshotError(f"{different} of {compared} look-ups differ in the cross-check: {fields}")


def _raise_issues(issues: list[str]) -> None:
    if issues:
        raise SnapshotError(*issues)
