"""The long steps of a build, each of which goes on where an earlier run has ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.cross_check import Sample, take_sample
from brskills_server.snapshot_builder.edition import read_edition
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.joining import join_part, open_joining, part_names, part_start
from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.macros import connect
from brskills_server.snapshot_builder.progress import Progress
from brskills_server.snapshot_builder.reading import count_rows, read_file
from brskills_server.snapshot_builder.source_files import PublishedFile, PublishedMonth
from brskills_server.snapshot_builder.writer import SnapshotWriter

__all__ = ["Steps"]

_JOINING, _COMPARING = 0.35, 0.15
"""What a byte of the files costs in these steps, beside reading it. Only the estimate knows it."""

Counts = dict[str, dict[str, int]]


class Steps:
    """``work``: a folder of these files' own. ``made``: the folder in it with the month that comes of it.

    ``former``: the file of the month that it is compared with. Raises ``SnapshotError``.
    """

    def __init__(self, month: PublishedMonth, work: Path, former: Path | None) -> None:
        self._month = month
        self._edition = read_edition(month)  # first: it is quick, and may be wrong
        self._staging = work / "rows"
        self._former = former
        self.made = work / (
            f"after {former.parent.name}" if former else "first"
        )  # it counts the changes since
        self.made.mkdir(parents=True, exist_ok=True)
        self._rows = [file for file in month.files if file.kind in LAYOUTS]
        self._size = sum(file.content_size for file in self._rows)
        self._progress = Progress(self._size * (1 + _JOINING + _COMPARING))
        self._duckdb = connect(str(work / "spill"))
        self._counts: Counts = {}

    def read(self) -> Counts:
        """Every file with rows; returns what they held, by kind."""
        for file in self._rows:
            held = self._read(file)
            of_kind = self._counts.setdefault(file.kind, dict.fromkeys(held._fields, 0))
            for name, number in held._asdict().items():
                of_kind[name] += number
        return self._counts

    def _read(self, file: PublishedFile) -> Any:
        folder = self._staging / file.path.stem
        is_read = folder.exists()
        if is_read:
            self._progress.skip(file.content_size)
        else:
            told = 0

            def report(done: int) -> None:
                nonlocal told
                self._progress.add(done - told, file.path.name)
                told = done

            read_file(self._duckdb, file, folder, report)
        held = count_rows(self._duckdb, folder)
        if held.rows and held.rows == held.nameless:
            raise SnapshotError(f"{file.path.name} has {held.rows:,} lines and not one row of a company")
        rejected = f", {held.rejected:,} rejected" if held.rejected else ""
        self._progress.say(
            f"{file.path.name}: {held.rows:,} rows{rejected}{' (as before)' if is_read else ''}"
        )
        return held

    def join(self, told: Callable[[Counter[str]], str]) -> None:
        """Companies and establishments into the month's file, with what ``told`` makes of its counts."""
        open_joining(self._duckdb, self._staging)
        names = part_names(self._duckdb, self._staging)
        starts = ["", *map(part_start, names[1:])]
        work = self._size * _JOINING / max(len(names), 1)
        with closing(SnapshotWriter(self.made / FILE, self._former)) as writer:
            written = writer.parts()
            for part, first, upto in zip(names, starts, [*starts[1:], None], strict=True):
                if part in written:
                    self._progress.skip(work)
                    continue
                writer.write(part, join_part(self._duckdb, self._staging, part), first, upto)
                self._progress.add(work, part)
                self._progress.say(f"companies {part}...")
            writer.finish(self._edition, told(writer.counts()))

    def compare(self) -> Sample:
        """Look-ups in the month's file beside a second reading of the files."""
        sample = take_sample(
            self._month,
            self.made / FILE,
            {kind: of["rows"] for kind, of in self._counts.items()},
            lambda read: self._progress.add(read * _COMPARING, "second reading of a sample"),
        )
        self._progress.say(f"second reading: {sample['compared']} compared, {sample['different']} different")
        return sample

    def close(self) -> None:
        """Let the memory go."""
        self._duckdb.close()
