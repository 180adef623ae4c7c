"""Building a snapshot in the folder, from the published files, checked and ready to be put in place.

A build that ends with an exception leaves the snapshot in place unchanged. Read and joined rows stay in the
work folder, so that the next run with the same files resumes there.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from types import MappingProxyType

from brskills_server.adapters.snapshots.folder import FILE, kept_names
from brskills_server.snapshot_builder import checks
from brskills_server.snapshot_builder.destinations.destination import KeptSnapshot
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.errors import PreviousDamagedError, SnapshotError
from brskills_server.snapshot_builder.making import Maker
from brskills_server.snapshot_builder.report import read_report
from brskills_server.snapshot_builder.source_files import PublishedMonth
from brskills_server.snapshot_builder.sources.month import Files
from brskills_server.snapshot_builder.work import delete_others, delete_work, open_work


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

    Return `None` if a kept snapshot was built from these files, and the name of one that was finished by a
    run that was killed before it put it in place. ``anew`` builds another, also beside a damaged one.
    ``accepted``: some of `issues.ACCEPTABLE`. ``taken``: names it must not have. ``source``: the files as a
    share lists them.
    Raise `SnapshotError` if the files do not pass a check.
    """
    snapshots = folder.snapshots()
    current = next((kept for kept in snapshots if kept.current), None)
    same = [kept for kept in snapshots if not anew and _files_of(folder, kept.name) == month.id]
    if current not in same:
        checks.check_day(month.day, current.day if current else None)
    if same:
        print(_kept_text(same[0]))
        return None
    for name in () if anew else folder.finished():
        if _files_of(folder, name) == month.id and name not in taken:
            delete_others(folder.path / "work", "")
            print(f"the snapshot of {month.day} was finished by an earlier run")
            return name
    previous = current or _instead_of_unreadable(folder, snapshots, anew)
    folder.delete_leftovers()
    maker = Maker(month, open_work(folder.path / "work", month.id), source, accepted)
    try:
        made = maker.make(folder.path / previous.name / FILE if previous else None)
    except PreviousDamagedError as damage:
        if not anew:
            raise
        print(f"{damage.reasons[0].partition(':')[0]}: nothing is compared with it", flush=True)
        made = maker.make(None)
    name = folder.add(made, month.day, taken)
    delete_work(maker.work)
    return name


def _files_of(folder: SnapshotFolder, name: str) -> object:
    return read_report(folder.path / name / FILE).get("files")


def _kept_text(kept: KeptSnapshot) -> str:
    if kept.current:
        return f"the snapshot of {kept.day} was built from these very files (--anew builds another)"
    ways = "rollback puts it in place again, --anew builds another"
    return f"the snapshot {kept.name} was built from these very files, and taken out of place: {ways}"


def _instead_of_unreadable(
    folder: SnapshotFolder, snapshots: list[KeptSnapshot], anew: bool
) -> KeptSnapshot | None:
    """Return the snapshot to compare with where the one in place cannot be read; none before the first.

    Raise `PreviousDamagedError` unless another is built anew: the month would hardly be checked.
    """
    if not kept_names(folder.path) and not folder.finished():
        return None
    damage = "the snapshot in place cannot be read by this release"
    if not anew:
        raise PreviousDamagedError(f"{damage}: put the one before in place (rollback), or build with --anew")
    other = next(iter(snapshots), None)
    print(f"{damage}: {f'the one of {other.day}' if other else 'nothing'} is compared with", flush=True)
    return other
