"""Downloading one file of a share, in as many attempts as needed."""

import re
from asyncio import Semaphore
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

import httpx

from brskills_server.snapshot_builder.errors import SnapshotError, SourceChangedError, TransientError
from brskills_server.snapshot_builder.sources.client import Client
from brskills_server.snapshot_builder.sources.heartbeat import Report
from brskills_server.snapshot_builder.sources.least_rate import LeastRate
from brskills_server.snapshot_builder.sources.listing import Listed
from brskills_server.snapshot_builder.sources.partial_file import PartialFile
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy

_RANGE = re.compile(r"bytes (?P<first>[0-9]{1,15})-[0-9]{1,15}/(?P<size>[0-9]{1,15}|\*)")
_SENT = {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT}
_GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE}


class Tally:
    """The bytes of a month's files so far. ``sizes``: name → bytes."""

    def __init__(self, sizes: Mapping[str, int], report: Report) -> None:
        self._total = sum(sizes.values())
        self._report = report
        self._here = dict.fromkeys(sizes, 0)
        self._furthest = dict.fromkeys(sizes, 0)

    def count(self, name: str, here: int) -> None:
        """Set the bytes of a file."""
        self._here[name] = here
        self._furthest[name] = max(here, self._furthest[name])
        self._report(sum(self._here.values()), self._total)

    def furthest(self) -> int:
        """Return the bytes of all files that were ever reached; the same bytes again are not progress."""
        return sum(self._furthest.values())


@dataclass(frozen=True, slots=True)
class Download:
    """The download of the file ``name``, listed as ``file``, from the share's ``path`` to ``kept``."""

    client: Client
    path: str
    name: str
    file: Listed
    kept: PartialFile
    tally: Tally

    def missing(self) -> int:
        """Return the bytes still to be downloaded."""
        return self.file.size - self.kept.length()

    async def run(self, retry_policy: RetryPolicy, slots: Semaphore) -> None:
        """Download until the file is whole.

        Raise `SnapshotError` if that fails, and `SourceChangedError` if the file is not as listed.
        """
        async with slots:
            self.tally.count(self.name, self.kept.length())
            if self.kept.is_done():
                return
            await retry_policy.retry(self.name, partial(self._attempt, retry_policy), self.tally.furthest)
            # Not in a thread, which would continue when this task is cancelled and the file restarted.
            if not self.kept.finish():
                raise SnapshotError(f"{self.name}: arrived with all its bytes, but is not a readable zip")

    async def _attempt(self, retry_policy: RetryPolicy) -> None:
        here = self.kept.length()
        if not self.missing():
            return
        resume = {"Range": f"bytes={here}-", "If-Range": self.file.validator or ""} if here else {}
        async with self.client.request("GET", self.path, resume) as answer:
            await self._write(answer, self._first_byte(answer, here), retry_policy.least_rate_of_answer())

    def _first_byte(self, answer: httpx.Response, here: int) -> int:
        """Return the position in the file of the body's first byte, if the headers agree with the listing."""
        if answer.status_code in _GONE:
            raise SourceChangedError(f"{self.name}: is listed, but answers {answer.status_code}")
        if answer.status_code not in _SENT:
            raise SnapshotError(f"answers {answer.status_code}")
        if answer.headers.get("content-type", "").startswith("text/html"):
            raise TransientError("answers a page instead of the file")
        self._check_version(answer.headers.get("etag"))
        if answer.status_code == HTTPStatus.OK:
            self._check_size(answer.headers.get("content-length"))
            return 0
        part = _RANGE.fullmatch(answer.headers.get("content-range", ""))
        if part is None or int(part["first"]) != here:
            self.kept.discard()
            raise TransientError("answers another range than the one requested")
        self._check_size(part["size"])
        return here

    async def _write(self, answer: httpx.Response, here: int, rate: LeastRate) -> None:
        with self.kept.write_from(here) as part:
            async for chunk in answer.aiter_raw():
                here += len(chunk)
                if here > self.file.size:
                    break
                part.write(chunk)
                self.tally.count(self.name, here)
                rate.add(len(chunk))
        if here > self.file.size:
            self.kept.discard()
            raise SourceChangedError(f"{self.name}: is sent with more than the {self.file.size} bytes listed")
        if here < self.file.size:
            raise TransientError(f"ended after {here} of {self.file.size} bytes")

    def _check_version(self, etag: str | None) -> None:
        if etag and self.file.etag and etag.removeprefix("W/") != self.file.etag.removeprefix("W/"):
            raise SourceChangedError(f"{self.name}: is sent in another version than the one listed")

    def _check_size(self, sent: str | None) -> None:
        if sent not in {None, "*", str(self.file.size)}:
            size = self.file.size
            raise SourceChangedError(f"{self.name}: is listed with {size} bytes, but sent with another size")
