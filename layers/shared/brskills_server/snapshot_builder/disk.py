"""How much disk a build takes, told before it begins."""

from __future__ import annotations

import shutil
from pathlib import Path

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.source_files import PublishedMonth

__all__ = ["check_space"]

_ROWS, _FILE = 0.35, 1.0
"""Of the size of what is in the zips: the rows that were read, the month's file (docs/register.md)."""


def check_space(month: PublishedMonth, work: Path) -> str:
    """What the build takes, as a line for people; raises ``SnapshotError`` where it is not there."""
    rows, made = int(month.content_size * _ROWS), int(month.content_size * _FILE)
    used = sum(file.stat().st_size for file in work.rglob("*") if file.is_file()) if work.exists() else 0
    free = shutil.disk_usage(work if work.exists() else work.parent).free
    if free < rows + made - used:
        raise SnapshotError(
            f"{_size(rows + made - used)} of disk are needed at {work.parent}, and {_size(free)} are free"
        )
    return (
        f"up to {_size(rows + made)} of disk: {_size(rows)} until the end, {_size(made)} for the month's file"
    )


def _size(number: int) -> str:
    return f"{number / 1e9:.1f} GB" if number >= 1e8 else f"{number / 1e6:.1f} MB"
