"""The folder that a build works in: one for each month's files and each layout of rows."""

import hashlib
import shutil
from pathlib import Path

from brskills_server.snapshot_builder.layout import LAYOUTS

_LAYOUT = hashlib.sha256(repr(LAYOUTS).encode()).hexdigest()[:8]
"""Rows that another release has read are read again."""


def open_work(folder: Path, files: str) -> Path:
    """Return the folder for the build of these files (`PublishedMonth.id`); delete those of others."""
    work = folder / f"{files}-{_LAYOUT}"
    delete_others(folder, work.name)
    work.mkdir(parents=True, exist_ok=True)
    return work


def delete_others(folder: Path, name: str) -> None:
    """Delete all work folders but the one of this name."""
    for other in folder.glob("*"):
        if other.name != name:
            delete_work(other)


def delete_work(work: Path) -> None:
    """Delete a work folder, renamed first: an interrupted deletion must leave nothing to resume from."""
    gone = work.with_name("gone")
    if work != gone:
        shutil.rmtree(gone, ignore_errors=True)
        work.rename(gone)
    shutil.rmtree(gone)
