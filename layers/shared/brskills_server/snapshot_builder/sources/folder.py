"""A local folder with the zips as published, used where it is."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.fetched import Fetched
from brskills_server.snapshot_builder.sources.names import MONTH, NAMES, are_files_of_a_month, faults_in

__all__ = ["open_folder"]


def open_folder(folder: Path) -> Fetched:
    """The month in a folder: its own files, or the newest whole one of its folders ``YYYY-MM``.

    ``SnapshotError`` names all that is missing, empty or unexpected; nothing is opened. The given folder is not
    named by its path, for the caller knows it.
    """
    if not folder.is_dir():
        raise SnapshotError("the source is neither a folder nor an address with http:// or https://")
    try:
        return _month_in(folder)
    except OSError as error:
        raise SnapshotError(f"the source cannot be read: {error.strerror}") from error


def _month_in(folder: Path) -> Fetched:
    sizes = _sizes(folder)
    if are_files_of_a_month(sizes):
        if faults := faults_in("the folder", sizes):
            raise SnapshotError(*faults)
        return _opened(folder, sizes, [])
    months = [path for path in folder.iterdir() if MONTH.fullmatch(path.name) and path.is_dir()]
    passed_over: list[list[str]] = []
    for month in sorted(months, reverse=True):
        sizes = _sizes(month)
        if not (faults := faults_in(month.name, sizes)):
            return _opened(month, sizes, [*chain(*passed_over)])
        passed_over.append(faults)
    if not passed_over:
        raise SnapshotError("the folder holds neither a month's files nor folders named as 2026-10")
    raise SnapshotError(*passed_over[0])


def _sizes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}


def _opened(folder: Path, sizes: dict[str, int], notes: list[str]) -> Fetched:
    return Fetched(folder, {name: (sizes[name], None) for name in NAMES}, False, tuple(notes))
