"""What a month must be before it takes the former one's place; raises ``SnapshotError`` with the reasons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from brskills_server.snapshot_builder.cross_check import Sample
from brskills_server.snapshot_builder.errors import SnapshotError

__all__ = ["check_day", "check_register", "check_rejects", "check_rows", "check_sample"]

_REJECTED = 1e-4, 20
"""The share of a kind's rows that may be rejected, and how many may be in any case."""

_FEWEST, _MOST, _SLACK = 0.90, 1.25, 100
"""A month has as many rows of a kind as the one before times this, give or take a few."""

_ODD, _GONE = 0.001, 0.02
"""The shares of establishments that may be odd, and gone: the register deletes nobody."""

_ODD_ROWS = {
    "orphans": "without a row of their company",
    "repeated": "rows that were there already",
    "contradicted": "rows that contradict others",
    "unreadable": "rows that cannot be read with certainty",
}

_DIFFERENT = 0.01
"""The share of the sample that may read differently: a row that two parsers take for two things."""


def check_day(day: date, current: date | None) -> None:
    """``current``: the day of the month in place."""
    if current and day < current:
        raise SnapshotError(
            f"the files are of {day}, and the copy in place is of {current}: only rollback goes back"
        )


def check_rejects(counts: Mapping[str, Mapping[str, int]]) -> None:
    """``counts``: kind → rows and rejected rows of all its files."""
    share, some = _REJECTED
    faults = [
        f"{kind}: {of['rejected']:,} of {of['rows']:,} rows cannot be read"
        for kind, of in counts.items()
        if of["rejected"] > max(some, share * of["rows"])
    ]
    faults += [
        f"{kind}: there are no rows"
        for kind in ("Empresas", "Estabelecimentos")
        if counts[kind]["rows"] == counts[kind]["rejected"]
    ]
    _raise(faults)


def check_rows(counts: Mapping[str, Mapping[str, int]], former: Mapping[str, Mapping[str, int]]) -> None:
    """The same, and those of the month before (empty where there is none)."""
    faults = []
    for kind, of in counts.items():
        before = former.get(kind, {}).get("rows")
        if before is None:
            continue
        least, most = max(int(before * _FEWEST) - _SLACK, 0), int(before * _MOST) + _SLACK
        if not least <= of["rows"] <= most:
            faults.append(f"{kind}: {of['rows']:,} rows, and {least:,} to {most:,} after the month before")
    _raise(faults)


def check_register(register: Mapping[str, int], changes: Mapping[str, Any] | None) -> None:
    """What the joined files had of odd rows, and what has gone since the month before (docs/register.md).

    A file that is another one's copy, or of another month, shows here whatever its rows are.
    """
    total = register["establishments"]
    most = _SLACK + int(_ODD * total)
    faults = [
        f"{register[name]:,} {what} among {total:,} establishments"
        for name, what in _ODD_ROWS.items()
        if register[name] > most
    ]
    gone = changes["establishments"]["gone"] if changes else 0
    if gone > _SLACK + int(_GONE * (total + gone)):
        faults.append(f"{gone:,} establishments have gone since the month before, and {total:,} are there")
    _raise(faults)


def check_sample(sample: Sample) -> None:
    """Look-ups beside a second reading."""
    if not sample["compared"]:
        raise SnapshotError("no company of the sample could be compared")
    if sample["different"] > _DIFFERENT * sample["compared"]:
        fields = ", ".join(
            f"{name.partition('.')[2]} {n}" for name, n in sorted(sample.items()) if "." in name
        )
        raise SnapshotError(
            f"{sample['different']} of {sample['compared']} look-ups differ from a second reading: {fields}"
        )


def _raise(faults: list[str]) -> None:
    if faults:
        raise SnapshotError("\n".join(faults))
