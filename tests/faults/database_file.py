"""The file of the store on a disk that is full, and held by another program."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.faults.service import STORE_SECONDS, serving
from tests.faults.trial import Row, Trial

__all__ = ["faults"]

DISK_BYTES = 16 * 1024 * 1024
FULL_SECONDS = 5.0
HELD_SECONDS = 2.5 * STORE_SECONDS


def faults(folder: Path) -> Iterator[Row]:
    """Both with ``make run``'s kind of store."""
    yield _full(folder / "full")
    yield _held(folder / "held")


def _full(folder: Path) -> Row:
    with _small_disk(folder / "disk") as disk, serving(folder, f"sqlite:///{disk}/brskills.db") as service:
        trial = Trial(service)
        with trial.running():
            filler = disk / "filler"
            _fill(filler)
            time.sleep(FULL_SECONDS)
            filler.unlink()
            trial.end()
        return trial.judged(
            "the disk of the store's file is full (a tmpfs of 16 MB)", felt={503}, doubt=False
        )


def _held(folder: Path) -> Row:
    folder.mkdir()
    file = folder / "brskills.db"
    with serving(folder, f"sqlite:///{file}") as service:
        trial = Trial(service)
        with trial.running(), closing(sqlite3.connect(file, timeout=60, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            time.sleep(HELD_SECONDS)
            other.execute("ROLLBACK")
            trial.end()
        return trial.judged("another program holds the store's file", felt={503}, doubt=False)


@contextmanager
def _small_disk(place: Path) -> Iterator[Path]:
    """A separate file system; raises RuntimeError where this user may mount none."""
    place.mkdir(parents=True)
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(place)]
    said = subprocess.run(mounting, capture_output=True, text=True, check=False)
    if said.returncode:
        raise RuntimeError(f"a full disk is a small tmpfs, which takes root to mount: {said.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def _fill(filler: Path) -> None:
    """Take all the room there is, to the last byte."""
    with filler.open("wb", buffering=0) as sink, suppress(OSError):
        while True:
            os.posix_fallocate(sink.fileno(), sink.seek(0, 1), 4096)
            sink.seek(4096, os.SEEK_CUR)
