"""From the published files to a month in the folder, checked and ready to be put in place.

Whatever is wrong ends it with a reason, and the month in place stays. What is read and joined stays in the
work folder, so that the next run with the same files goes on where this one ended.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from types import MappingProxyType

import duckdb

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.checks import (
    check_day,
    check_register,
    check_rejects,
    check_rows,
    check_sample,
)
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.disk import check_space
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.report import described, read_report, write_report
from brskills_server.snapshot_builder.source_files import PublishedMonth
from brskills_server.snapshot_builder.sources import Files
from brskills_server.snapshot_builder.steps import Steps

__all__ = ["build_snapshot", "locked"]

_WORK = "work"


@contextmanager
def locked(place: SnapshotFolder) -> Iterator[None]:
    """Nobody else builds here meanwhile; raises ``SnapshotError`` where somebody does."""
    with (place.folder / "lock").open("w") as lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise SnapshotError("another build is under way in this folder") from None
        yield


def build_snapshot(
    month: PublishedMonth,
    place: SnapshotFolder,
    say: Callable[[str], None] = print,
    taken: Collection[str] = (),
    source: Files = MappingProxyType({}),
    anew: bool = False,
) -> str | None:
    """Build a month's file, check it, and add it to the place, which is locked; returns its name.

    ``taken``: names that it must not have. ``source``: the files as a share lists them. ``None``: the month
    in place is of these very files; where the one before it is, its name. ``anew``: they are built all the
    same. Nothing is put in place here. Raises ``SnapshotError``.
    """
    reports = {kept: read_report(place.folder_of(kept.name) / FILE) for kept in place.snapshots()}
    current = next((kept for kept in reports if kept.current), None)
    former = place.folder_of(current.name) / FILE if current else None
    before = reports[current] if current else {}
    if before.get("files") == month.id and not anew:
        return None
    check_day(month.day, current.day if current else None)
    for kept, report in reports.items():
        if report.get("files") == month.id and not anew:
            return kept.name
    place.tidy()
    work = _work_folder(place.folder / _WORK, month.id)
    say(check_space(month, work))
    try:
        with closing(Steps(month, work, former)) as steps:
            rows = steps.read()
            check_rejects(rows)
            check_rows(rows, before.get("rows", {}))
            since = current.day if current else None
            steps.join(lambda counts: described(month, rows, counts, since, source))
            made = read_report(steps.made / FILE)
            check_register(made["register"], made["changes"])
            sample = steps.compare()
    except (duckdb.Error, sqlite3.Error) as fault:
        _delete(work)  # a disk that was full or lost its power: what is there need not be whole
        what = f"{type(fault).__module__}.{type(fault).__name__}"  # its text may quote a row
        raise SnapshotError(f"the build's own files failed ({what}) and are deleted: run it again") from None
    check_sample(sample)
    write_report(steps.made, sample)
    name = place.add(steps.made, month.day, taken)
    _delete(work)
    return name


def _work_folder(folder: Path, name: str) -> Path:
    """The folder of these files' build; those of other files go."""
    for other in folder.glob("*"):
        if other.name != name:
            _delete(other)
    work = folder / name
    work.mkdir(parents=True, exist_ok=True)
    return work


def _delete(work: Path) -> None:
    """Delete a work folder under another name: ended halfway, the rest must not pass for what was read."""
    gone = work.with_name("gone")
    if work != gone:
        shutil.rmtree(gone, ignore_errors=True)
        work.rename(gone)
    shutil.rmtree(gone)
