"""Building a snapshot in the folder, from the published files, checked and ready to be put in place.

A build that ends with an exception leaves the snapshot in place unchanged. Read and joined rows stay in the
work folder, so that the next run with the same files resumes there.
"""

import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from types import MappingProxyType

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder import checks
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.failures import DamagedError, named_failures, size_text
from brskills_server.snapshot_builder.issues import print_accepted
from brskills_server.snapshot_builder.report import format_report, read_report, write_report
from brskills_server.snapshot_builder.source_files import PublishedMonth
from brskills_server.snapshot_builder.sources.month import Files
from brskills_server.snapshot_builder.steps import BuildSteps

_ROWS_SHARE, _INDEX_SHARE = 0.35, 0.35
"""Disk for the read rows and for the search index, which is twice there while it is packed, as shares of the
unpacked files; the snapshot's file is as large as these."""


@contextmanager
def locked(folder: SnapshotFolder) -> Iterator[None]:
    """Exclude other builds in the folder. Raise `SnapshotError` if one is running."""
    with (folder.path / "lock").open("w") as lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise SnapshotError("another build is running in this folder") from None
        yield


def build_snapshot(
    month: PublishedMonth,
    folder: SnapshotFolder,
    taken: Collection[str] = (),
    source: Files = MappingProxyType({}),
    anew: bool = False,
    accepted: Collection[str] = (),
) -> str | None:
    """Build and check a snapshot in the folder, which is locked. Return its name; it is not in place yet.

    Return `None` if the snapshot in place was built from these files, and the name of another one if that
    was: the one before, or one of a run that was killed before it put it in place. ``anew`` builds another.
    ``accepted``: some of `issues.ACCEPTABLE`. ``taken``: names it must not have. ``source``: the files as a
    share lists them.
    Raise `SnapshotError` if the files do not pass a check.
    """
    reports = {kept: read_report(folder.path / kept.name / FILE) for kept in folder.snapshots()}
    current = next((kept for kept in reports if kept.current), None)
    before = reports[current] if current else {}
    if before.get("files") == month.id and not anew:
        return None
    checks.check_day(month.day, current.day if current else None)
    for kept, report in reports.items():
        if report.get("files") == month.id and not anew:
            return kept.name
    for name in () if anew else folder.finished():
        if read_report(folder.path / name / FILE).get("files") == month.id and name not in taken:
            _delete_others(folder.path / "work", "")
            print(f"the snapshot of {month.day} was finished by an earlier run")
            return name
    folder.delete_leftovers()
    work = _work_folder(folder.path / "work", month.id)
    print(_check_space(month, work))
    previous = folder.path / current.name / FILE if current else None
    try:
        with (
            named_failures(work.parent, _disk_needed(month)),
            closing(BuildSteps(month, work, previous)) as steps,
        ):
            rows = steps.read()
            checks.check_rejects(rows)
            files = steps.rows_by_file
            issues = checks.rows_issues(rows, before.get("rows", {}))
            issues += checks.files_issues(files, before.get("rows_by_file", {}))
            print_accepted(issues, accepted)
            since = current.day if current else None
            steps.join(lambda counts: format_report(month, rows, files, counts, since, source, accepted))
            made = read_report(steps.made / FILE)
            _print_odd(made["register"])
            print_accepted(checks.register_issues(made["register"], made["changes"]), accepted)
            steps.index()
            sample = steps.cross_check()
    except DamagedError as error:
        _delete(work)  # after a power failure the files in it may be incomplete
        raise SnapshotError(f"the build's own files failed ({error}) and are deleted: run it again") from None
    checks.check_sample(sample)
    write_report(steps.made, sample)
    name = folder.add(steps.made, month.day, taken)
    _delete(work)
    return name


def _print_odd(register: Mapping[str, int]) -> None:
    odd = {"blank": "beside an empty row", "repeated": "repeated", "contradicted": "contradicted by others"}
    found = [f"{register[name]:,} {text}" for name, text in odd.items() if register[name]]
    if found:
        print(f"of {register['establishments']:,} establishments and their companies: {', '.join(found)}")


def _disk_needed(month: PublishedMonth) -> int:
    return int(month.content_size * (1 + _ROWS_SHARE + _INDEX_SHARE))


def _check_space(month: PublishedMonth, work: Path) -> str:
    """Return the disk that the build takes, as a line of text. Raise `SnapshotError` if less is free."""
    used = sum(file.stat().st_size for file in work.rglob("*") if file.is_file())
    whole = _disk_needed(month)
    needed, free = whole - used, shutil.disk_usage(work).free
    if free < needed:
        raise SnapshotError(
            f"{size_text(needed)} of disk are needed at {work.parent}, and {size_text(free)} are free"
        )
    rows = int(month.content_size * _ROWS_SHARE)
    sizes = f"{size_text(rows)} until the end, {size_text(whole - rows)} for the snapshot and its index"
    return f"up to {size_text(whole)} of disk: {sizes}"


def _work_folder(folder: Path, name: str) -> Path:
    """Return the folder for the build of these files; delete those of other files."""
    _delete_others(folder, name)
    work = folder / name
    work.mkdir(parents=True, exist_ok=True)
    return work


def _delete_others(folder: Path, name: str) -> None:
    for other in folder.glob("*"):
        if other.name != name:
            _delete(other)


def _delete(work: Path) -> None:
    """Delete a work folder, renamed first: an interrupted deletion must leave nothing to resume from."""
    gone = work.with_name("gone")
    if work != gone:
        shutil.rmtree(gone, ignore_errors=True)
        work.rename(gone)
    shutil.rmtree(gone)
