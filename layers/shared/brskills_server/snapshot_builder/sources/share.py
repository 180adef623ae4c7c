"""Downloading the newest whole month of a share.

The month is taken from a listing, its files are downloaded, and a second listing must equal the first;
otherwise the download begins again with what has changed.
"""

import asyncio
import shutil
from collections.abc import Collection
from functools import partial
from pathlib import Path

from brskills_server.snapshot_builder.errors import SnapshotError, SourceChangedError
from brskills_server.snapshot_builder.sources.address import Address
from brskills_server.snapshot_builder.sources.client import Client
from brskills_server.snapshot_builder.sources.download import Download, Report, Tally
from brskills_server.snapshot_builder.sources.listing import Folder, Listed
from brskills_server.snapshot_builder.sources.month import Files, Month, files_of_month, newest_month
from brskills_server.snapshot_builder.sources.partial_file import PartialFile
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy

CONNECTIONS = 2  # at most; the federal share refuses many at times
_MEGABYTE = 1_000_000


class Share:
    """A share whose files are downloaded to ``into``; partial files of an earlier run are resumed."""

    def __init__(
        self, address: Address, into: Path, report: Report, retry_policy: RetryPolicy, user_agent: str
    ) -> None:
        self._client = Client(address, retry_policy, user_agent)
        self._into = into
        self._report = report
        self._retry_policy = retry_policy

    async def download_newest(self, known: Collection[Files]) -> Month | None:
        """Download the newest whole month, or return `None` if sizes and tags equal one of ``known``.

        Raise `SnapshotError` if it cannot be downloaded; what has arrived is kept for the next run.
        """
        return await self._retry_policy.retry_changed(partial(self._download_newest, known))

    async def _download_newest(self, known: Collection[Files]) -> Month | None:
        month = await newest_month("the share", self._list)
        files = {name: (file.size, file.etag) for name, file in month.files.items()}
        if files in known and all(tag for _, tag in files.values()):
            return None
        await self._download(month)
        if files_of_month(await self._list(month.path)) != month.files:
            raise SourceChangedError("the files have changed on the share while they were downloaded")
        return month

    async def _list(self, path: str) -> Folder:
        return await self._retry_policy.retry(
            path.rstrip("/") or "the share", partial(self._client.list, path)
        )

    async def _download(self, month: Month) -> None:
        self._into.mkdir(mode=0o700, parents=True, exist_ok=True)  # names in the files contain whole CPFs
        partial_files = {name: PartialFile(self._into, name, file) for name, file in month.files.items()}
        self._check_space(sum(file.size - partial_files[name].length() for name, file in month.files.items()))
        tally = Tally({name: file.size for name, file in month.files.items()}, self._report)
        slots = asyncio.Semaphore(CONNECTIONS)

        async def run(name: str, file: Listed) -> None:
            async with slots:
                download = Download(self._client, month.path, name, file, partial_files[name], tally)
                await download.run(self._retry_policy)

        try:
            async with asyncio.TaskGroup() as group:
                # The largest is a quarter of all: begun last, it would be downloaded alone.
                for name, file in sorted(month.files.items(), key=lambda item: -item[1].size):
                    group.create_task(run(name, file))
        except BaseExceptionGroup as failed:
            errors = [error for error in failed.exceptions if isinstance(error, SnapshotError)]
            raise (errors or failed.exceptions)[0] from None

    def _check_space(self, needed: int) -> None:
        free = shutil.disk_usage(self._into).free
        if needed > free:
            raise SnapshotError(
                f"the download needs {needed / _MEGABYTE:,.0f} MB more on the disk of the folder "
                f"for it, which has {free / _MEGABYTE:,.0f} MB free"
            )
