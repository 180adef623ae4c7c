"""A month's files from a share into a folder of our own.

The newest whole month is taken from a listing, its files are downloaded, and a second listing must say
the same of them; otherwise it begins anew with what has changed.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from brskills_server.snapshot_builder.errors import SnapshotError, SourceChangedError
from brskills_server.snapshot_builder.sources.address import Address
from brskills_server.snapshot_builder.sources.client import Client
from brskills_server.snapshot_builder.sources.download import Download
from brskills_server.snapshot_builder.sources.fetched import Fetched, Files, Report, Tally
from brskills_server.snapshot_builder.sources.kept import Kept
from brskills_server.snapshot_builder.sources.listing import Folder, Listed
from brskills_server.snapshot_builder.sources.names import MONTH, NAMES, are_files_of_a_month, faults_in
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy, begin_anew, persist

__all__ = ["CONNECTIONS", "download"]

CONNECTIONS = 2  # at most; the federal share refuses many at times
_MEGABYTE = 1_000_000


async def download(
    address: Address,
    into: Path,
    report: Report,
    retry_policy: RetryPolicy,
    user_agent: str,
    known: Collection[Files] = (),
) -> Fetched | None:
    """Bring in the newest whole month; what an earlier run has left of it in ``into`` is used.

    ``None`` if it is one of ``known``, by size and entity tag of each file. ``SnapshotError`` says why it
    cannot be had; what has arrived by then stays for the next run.
    """
    share = _Share(Client(address, retry_policy, user_agent), into, report, retry_policy, known)
    return await begin_anew(share.bring_in, retry_policy)


@dataclass(frozen=True, slots=True)
class _Month:
    path: str  # below the share's folder, with a slash at its end; empty if it is that folder
    files: Mapping[str, Listed]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Share:
    client: Client
    into: Path
    report: Report
    retry_policy: RetryPolicy
    known: Collection[Files]

    async def bring_in(self) -> Fetched | None:
        """One round; ``SourceChangedError`` if the share was not the same at its end."""
        month = await self._newest()
        files = {name: (file.size, file.etag) for name, file in month.files.items()}
        if files in self.known and all(tag for _, tag in files.values()):
            return None
        await self._download(month)
        if _files_of_a_month(await self._list(month.path)) != month.files:
            raise SourceChangedError("the files have changed on the share while they were downloaded")
        return Fetched(self.into, files, True, month.notes)

    async def _newest(self) -> _Month:
        top = await self._list()
        if are_files_of_a_month(top.files):
            if faults := faults_in("the share", top.sizes()):
                raise SnapshotError(*faults)
            return _Month("", _files_of_a_month(top), ())
        passed_over: list[list[str]] = []
        for name in sorted(filter(MONTH.fullmatch, top.folders), reverse=True):
            folder = await self._list(f"{name}/")
            if not (faults := faults_in(name, folder.sizes())):
                return _Month(f"{name}/", _files_of_a_month(folder), tuple(chain(*passed_over)))
            passed_over.append(faults)
        if not passed_over:
            raise SnapshotError("the share holds neither a month's files nor folders named as 2026-10")
        raise SnapshotError(*passed_over[0])

    async def _list(self, path: str = "") -> Folder:
        what = path.rstrip("/") or "the share"
        return await persist(what, partial(self.client.list, path), self.retry_policy, lambda: 0)

    async def _download(self, month: _Month) -> None:
        self.into.mkdir(mode=0o700, parents=True, exist_ok=True)  # names in the files hold whole CPFs
        kept = {name: Kept(self.into, name, file) for name, file in month.files.items()}
        self._check_space(sum(file.size - kept[name].length() for name, file in month.files.items()))
        tally = Tally({name: file.size for name, file in month.files.items()}, self.report)
        slots = asyncio.Semaphore(CONNECTIONS)

        async def run(name: str, file: Listed) -> None:
            async with slots:
                one = Download(self.client, month.path, name, file, kept[name], tally)
                await one.run(self.retry_policy)

        try:
            async with asyncio.TaskGroup() as group:
                # The largest is a quarter of all: begun last, it would go on alone.
                for name, file in sorted(month.files.items(), key=lambda one: -one[1].size):
                    group.create_task(run(name, file))
        except BaseExceptionGroup as failed:
            faults = [error for error in failed.exceptions if isinstance(error, SnapshotError)]
            raise (faults or failed.exceptions)[0] from None

    def _check_space(self, needed: int) -> None:
        free = shutil.disk_usage(self.into).free
        if needed > free:
            raise SnapshotError(
                f"the download needs {needed / _MEGABYTE:,.0f} MB more on the disk of the folder "
                f"for it, which has {free / _MEGABYTE:,.0f} MB free"
            )


def _files_of_a_month(folder: Folder) -> dict[str, Listed]:
    return {name: folder.files[name] for name in NAMES if name in folder.files}
