"""Fetching a month's files, from a local folder that is used in place, or from a share.

The month of a share is taken from a listing, its files are downloaded, and a second listing must equal the
first; otherwise the download begins again with what has changed.
"""

import asyncio
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from brskills_server.snapshot_builder.errors import SnapshotError, SourceChangedError
from brskills_server.snapshot_builder.sources.address import read_address
from brskills_server.snapshot_builder.sources.client import Client
from brskills_server.snapshot_builder.sources.download import Download, Tally
from brskills_server.snapshot_builder.sources.heartbeat import Heartbeat, Report
from brskills_server.snapshot_builder.sources.listing import Folder, Listed
from brskills_server.snapshot_builder.sources.month import Files, Month, files_of_month, is_zip, newest_month
from brskills_server.snapshot_builder.sources.partial_file import PartialFile
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy

CONNECTIONS = 2  # at most; the federal share refuses many at times
_MEGABYTE = 1_000_000
_BUILD_TIMES = 3
"""The register's zips inflate three times, and a build takes a third more (`making`)."""
_RETRY_POLICY = RetryPolicy()


@dataclass(frozen=True, slots=True)
class Fetched:
    """A month's 37 files in one folder. ``notes``: lines about newer months, not whole, and other zips.

    ``listed``: downloaded files as the share lists them; none for a given folder, which is never changed.
    """

    folder: Path
    listed: Files
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
    client = Client(read_address(source), retry_policy, user_agent)
    share = _Share(client, into, Heartbeat(report, retry_policy.report), retry_policy)
    try:
        month = asyncio.run(share.download_newest(known))
    except TimeoutError:
        hours = f"{retry_policy.whole / 3600:.3g} h"
        raise SnapshotError(f"not whole after {hours}: what has arrived is kept for the next run") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SnapshotError(f"the download cannot be written: {reason}") from error
    return Fetched(into, month.versions(), month.notes) if month else None


def _open_folder(folder: Path) -> Fetched:
    """Return the month in a local folder."""
    if not folder.is_dir():
        raise SnapshotError(f"{folder} is neither a folder nor an address with http:// or https://")

    async def list_folder(path: str) -> Folder:
        entries = list((folder / path).iterdir())
        files = {entry.name: Listed(entry.stat().st_size, None, None) for entry in entries if entry.is_file()}
        return Folder(files, frozenset(entry.name for entry in entries if entry.is_dir()))

    try:
        month = asyncio.run(newest_month(str(folder), list_folder))
    except OSError as error:
        raise SnapshotError(f"the source cannot be read: {error.strerror}") from error
    return Fetched(folder / month.path, {}, month.notes)


@dataclass(frozen=True, slots=True)
class _Share:
    """A share whose files are downloaded to ``into``; partial files of an earlier run are resumed."""

    client: Client
    into: Path
    report: Heartbeat
    retry_policy: RetryPolicy

    async def download_newest(self, known: Collection[Files]) -> Month | None:
        """Download the newest whole month, or return `None` if sizes and tags equal one of ``known``.

        Raise `SnapshotError` if it cannot be downloaded, and `TimeoutError` if it took too long; what has
        arrived is kept for the next run.
        """
        async with self.report.repeated(), asyncio.timeout(self.retry_policy.whole):
            return await self.retry_policy.retry_changed(partial(self._download_newest, known))

    async def _download_newest(self, known: Collection[Files]) -> Month | None:
        month = await newest_month("the share", self._list)
        versions = month.versions()
        if versions in known and all(tag for _, tag in versions.values()):
            return None
        await self._download(month)
        if files_of_month(await self._list(month.path)) != month.files:
            raise SourceChangedError("the files have changed on the share while they were downloaded")
        return month

    async def _list(self, path: str) -> Folder:
        found = await self.retry_policy.retry(
            path.rstrip("/") or "the share", partial(self.client.list, path)
        )
        return Folder({name: file for name, file in found.files.items() if is_zip(name)}, found.folders)

    async def _download(self, month: Month) -> None:
        self.into.mkdir(mode=0o700, parents=True, exist_ok=True)  # names in the files contain whole CPFs
        tally = Tally({name: file.size for name, file in month.files.items()}, self.report)
        # The largest is a quarter of all: begun last, it would be downloaded alone.
        downloads = [
            Download(
                self.client,
                month.path + month.published[name],
                name,
                file,
                PartialFile(self.into, name, file),
                tally,
            )
            for name, file in sorted(month.files.items(), key=lambda item: -item[1].size)
        ]
        self._check_space(
            sum(download.missing() for download in downloads), sum(file.size for file in month.files.values())
        )
        slots = asyncio.Semaphore(CONNECTIONS)
        try:
            async with asyncio.TaskGroup() as group:
                for download in downloads:
                    group.create_task(download.run(self.retry_policy, slots))
        except BaseExceptionGroup as failed:
            errors = [error for error in failed.exceptions if isinstance(error, SnapshotError)]
            raise (errors or failed.exceptions)[0] from None

    def _check_space(self, missing: int, whole: int) -> None:
        """Check that the files fit, and beside them a build that has not begun: what it takes at least."""
        building = 0 if any(self.into.parent.glob("work/*")) else _BUILD_TIMES * whole
        free = shutil.disk_usage(self.into).free
        if missing + building > free:
            raise SnapshotError(
                f"the download needs {missing / _MEGABYTE:,.0f} MB more on its disk, and "
                f"the build some {building / _MEGABYTE:,.0f} MB; {free / _MEGABYTE:,.0f} MB are free"
            )
