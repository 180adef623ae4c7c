"""Fetching a month's files, from a local folder that is used in place, or from a share."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.address import read_address
from brskills_server.snapshot_builder.sources.download import Report
from brskills_server.snapshot_builder.sources.listing import Folder, Listed
from brskills_server.snapshot_builder.sources.month import NAMES, Files, newest_month
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy
from brskills_server.snapshot_builder.sources.share import Share

_RETRY_POLICY = RetryPolicy()


@dataclass(frozen=True, slots=True)
class Fetched:
    """A month's 37 files in one folder.

    ``downloaded``: they are the builder's own, to be deleted after use; a given folder is never changed.
    ``notes``: a line for each newer month that is not whole and was skipped.
    """

    folder: Path
    files: Files
    downloaded: bool
    notes: tuple[str, ...] = ()


def fetch(
    source: str,
    into: Path,
    report: Report = lambda _done, _total: None,
    retry_policy: RetryPolicy = _RETRY_POLICY,
    user_agent: str = "brskills",
    known: Collection[Files] = (),
) -> Fetched | None:
    """Return a month's files, or `None` if the share's newest whole month is one of ``known``.

    ``source``: a folder with them, or with folders ``YYYY-MM``; or a share's address, in a form of
    `brskills_server.snapshot_builder.sources.address`, downloaded to ``into``, which one run at a time uses.
    Check sums within the zips are not tested: reading the rows does. Raise `SnapshotError` with all reasons.
    """
    if "://" not in source:
        return _open_folder(Path(source))
    share = Share(read_address(source), into, report, retry_policy, user_agent)
    try:
        month = asyncio.run(share.download_newest(known))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SnapshotError(f"the download cannot be written: {reason}") from error
    files = {name: (file.size, file.etag) for name, file in month.files.items()} if month else {}
    return Fetched(into, files, True, month.notes) if month else None


def _open_folder(folder: Path) -> Fetched:
    """Return the month in a local folder. Messages leave its path out, which the caller knows."""
    if not folder.is_dir():
        raise SnapshotError("the source is neither a folder nor an address with http:// or https://")

    async def list_folder(path: str) -> Folder:
        entries = list((folder / path).iterdir())
        files = {entry.name: Listed(entry.stat().st_size, None, None) for entry in entries if entry.is_file()}
        return Folder(files, frozenset(entry.name for entry in entries if entry.is_dir()))

    try:
        month = asyncio.run(newest_month("the folder", list_folder))
    except OSError as error:
        raise SnapshotError(f"the source cannot be read: {error.strerror}") from error
    return Fetched(folder / month.path, {n: (month.files[n].size, None) for n in NAMES}, False, month.notes)
