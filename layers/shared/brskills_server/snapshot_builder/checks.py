"""Checks that a month must pass before its snapshot is put in place, or whose issues must be accepted."""

from collections.abc import Mapping
from datetime import date
from statistics import median
from typing import Any

from brskills_server.snapshot_builder.cross_check import Sample
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.issues import Issue
from brskills_server.snapshot_builder.sources.month import NAMES

_MAX_REJECTED_SHARE, _MAX_REJECTED = 1e-4, 20
"""Of a kind's rows; the number applies to small files."""
_MIN_GROWTH, _MAX_GROWTH = 0.90, 1.25
"""Rows of a kind, relative to the previous snapshot's."""
_MAX_ODD_SHARE, _MAX_GONE_SHARE = 0.001, 0.02
"""Of establishments: odd rows, and those gone since the previous snapshot; the register deletes none."""
_MIN_OF_FILE, _MIN_OF_NEIGHBOURS = 0.80, 0.50
"""Rows of a file, relative to the month before, and to the median of the other files of its kind."""
_MAX_CHANGED_SHARE = 0.25
"""Of the companies or establishments: those with another value of one field."""
_TOLERANCE = 100
"""Rows allowed beyond each of these shares."""
_MAX_DIFFERENT_SHARE = 0.01
"""Of the sample: two parsers may read an odd row differently."""

_ODD_ROWS = {
    "orphans": ("", "without a row of their company"),
    "repeated": ("repeated", "rows that exist twice"),
    "repeated_partners": ("repeated", "rows of partners that exist twice"),
    "contradicted": ("", "rows that contradict others"),
    "unreadable": ("", "rows that cannot be read with certainty"),
}
_KINDS = {"companies": "empresas", "establishments": "estabelecimentos"}
_ACCEPT_FIELD = {
    "partners": "socios",
    **{f"{name}{end}": "simples" for name in ("simples", "mei") for end in ("", "_since", "_until")},
}
_LOST = {
    "partners": ("socios", "have lost every partner", 0.005),
    "simples": ("simples", "have left Simples Nacional", 0.05),
    "mei": ("simples", "have left MEI", 0.05),
}
"""By what is lost: what to accept, a text, and the share of the companies up to which it is usual."""

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


def rows_issues(counts: Counts, previous: Counts) -> list[Issue]:
    """Compare the number of rows of each kind with the previous snapshot's, if there is one."""
    issues = []
    for kind in sorted(counts.keys() & previous.keys()):
        rows, before = counts[kind]["rows"], previous[kind]["rows"]
        least, most = max(int(before * _MIN_GROWTH) - _TOLERANCE, 0), int(before * _MAX_GROWTH) + _TOLERANCE
        if not least <= rows <= most:
            text = f"{rows:,} rows; expected are {least:,} to {most:,}, for the month before had {before:,}"
            issues.append(Issue(kind.lower(), f"{kind}: {text}"))
    return issues


def files_issues(rows: Mapping[str, int], previous: Mapping[str, int]) -> list[Issue]:
    """Compare the rows of each file with its rows of the month before, or in a first build with the others'.

    The files of a kind numbered 1 to 9 have about the same size; number 0 is several times as large.
    """
    issues = []
    for name, number in rows.items():
        kind = NAMES[name]
        if name in previous:
            least, why = int(previous[name] * _MIN_OF_FILE), f"the month before had {previous[name]:,}"
        else:
            alike = [n for other, n in rows.items() if NAMES[other] == kind and other != f"{kind}0.zip"]
            usual = int(median(alike))
            least, why = int(usual * _MIN_OF_NEIGHBOURS), f"the other files have about {usual:,}"
        if number < least - _TOLERANCE:
            text = f"{name}: {number:,} rows, and {why}: it may be incomplete, download it again"
            issues.append(Issue(kind.lower(), text))
    return issues


def register_issues(register: Mapping[str, int], changes: Mapping[str, Any] | None) -> list[Issue]:
    """Check the odd rows of the joined files, and the changes since the previous snapshot.

    This finds a file that is a copy of another, or of another month (docs/operate/register.md). No month may
    be accepted whose rows have no company, contradict others or cannot be read.
    """
    total = register["establishments"]
    most = _TOLERANCE + int(_MAX_ODD_SHARE * total)
    issues = [
        Issue(accept, f"{register[name]:,} {what} among {total:,} establishments")
        for name, (accept, what) in _ODD_ROWS.items()
        if register[name] > most
    ]
    return issues + (_change_issues(register, changes) if changes else [])


def _change_issues(register: Mapping[str, int], changes: Mapping[str, Any]) -> list[Issue]:
    issues = []
    for kind, accept in _KINDS.items():
        total, gone = register[kind], changes[kind]["gone"]
        if gone > _TOLERANCE + int(_MAX_GONE_SHARE * (total + gone)):
            text = f"{gone:,} {kind} have gone since the month before, and {total:,} are left"
            issues.append(Issue(accept, text))
        for field, number in changes[kind]["fields"].items():
            if number > _TOLERANCE + int(_MAX_CHANGED_SHARE * total):
                text = f"{number:,} of {total:,} {kind} have another {field} than in the month before"
                issues.append(Issue(_ACCEPT_FIELD.get(field, accept), text))
    total = register["companies"]
    for name, number in changes["companies"]["lost"].items():
        accept, what, share = _LOST[name]
        if number > _TOLERANCE + int(share * total):
            issues.append(Issue(accept, f"{number:,} of {total:,} companies {what} since the month before"))
    return issues


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
