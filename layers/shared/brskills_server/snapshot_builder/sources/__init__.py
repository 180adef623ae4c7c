"""Brings a month's 37 files into a folder: from a local one, or from the federal share over WebDAV."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.address import read_address
from brskills_server.snapshot_builder.sources.fetched import Fetched, Files, Progress, Report
from brskills_server.snapshot_builder.sources.folder import open_folder
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy
from brskills_server.snapshot_builder.sources.share import download

__all__ = ["Fetched", "Files", "Progress", "RetryPolicy", "fetch"]

_RETRY_POLICY = RetryPolicy()


def fetch(
    source: str,
    into: Path,
    report: Report = lambda _: None,
    retry_policy: RetryPolicy = _RETRY_POLICY,
    user_agent: str = "brskills",
    known: Collection[Files] = (),
) -> Fetched | None:
    """Bring in a month's files, whole as far as their source tells.

    ``source``: a folder with them, or with folders ``YYYY-MM``, used where it is; or the address of a share
    (``brskills_server.snapshot_builder.sources.address`` lists the forms), downloaded to ``into``, a folder of our own that one
    run uses at a time. ``known``: files of months that nobody needs again; ``None`` if the share's newest
    whole month is of these. ``report`` is called in this thread for each piece that arrives. The check sums
    within the zips are not tested: whoever reads the rows does. Raises ``SnapshotError``, a line each reason.
    """
    if "://" not in source:
        return open_folder(Path(source))
    try:
        return asyncio.run(download(read_address(source), into, report, retry_policy, user_agent, known))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SnapshotError(f"the download cannot be written: {reason}") from error
