"""The folder that a build works in: one for each month's files and each form of rows and of the index."""

import hashlib
import shutil
from pathlib import Path

from brskills_server.adapters.search.search_file import FORMAT
from brskills_server.snapshot_builder.indexed_words import INDEXED_WORDS
from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.macros import FIELD_MACROS
from brskills_server.snapshot_builder.row_statement import copy_statement


def open_work(folder: Path, files: str) -> Path:
    """Return the folder for the build of these files (`PublishedMonth.id`); delete those of others.

    What another release has read or indexed in another form is not resumed from.
    """
    reading = [FIELD_MACROS, *(copy_statement(kind, "", Path()) for kind in LAYOUTS)]
    form = hashlib.sha256(repr((reading, FORMAT, INDEXED_WORDS)).encode()).hexdigest()[:8]
    work = folder / f"{files}-{form}"
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
