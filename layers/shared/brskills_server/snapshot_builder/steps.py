"""The long steps of a build, each of which resumes where an earlier run stopped."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.cross_check import Sample, take_sample
from brskills_server.snapshot_builder.edition import read_edition
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.joining import join_part, open_joining, part_names, part_start
from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.macros import connect
from brskills_server.snapshot_builder.reading import FileCounts, count_rows, read_file
from brskills_server.snapshot_builder.source_files import PublishedFile, PublishedMonth
from brskills_server.snapshot_builder.writer import SnapshotWriter

_JOINING, _CROSS_CHECK = 0.35, 0.15
"""Work of these steps for each byte of the files, relative to reading it; for the estimate alone."""
_BEHIND_ALL = "~"

Counts = dict[str, dict[str, int]]
"""Kind of file → `FileCounts` of all its files, by name."""


class Progress:
    """Progress lines. ``total``: the work of all steps in one unit; the estimate uses this run's speed."""

    def __init__(self, total: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = max(total, 1.0)
        self._clock = clock
        self._began = clock()
        self._done = self._skipped = 0.0

    def skip(self, work: float) -> None:
        """Add work of an earlier run."""
        self._skipped += work

    def add(self, work: float) -> None:
        """Add work of this run."""
        self._done += work

    def say(self, text: str) -> None:
        """Print a line with the share done and the time left."""
        worked, spent = self._skipped + self._done, self._clock() - self._began
        if spent >= 2 and self._done > 0 and worked < self._total:
            seconds = spent / self._done * (self._total - worked)
            left = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
            text += f"  (about {left} left)"
        print(f"{min(worked / self._total, 1.0):4.0%}  {text}", flush=True)


class BuildSteps:
    """The steps from a month's files to a snapshot in ``made``, a folder in ``work``.

    ``previous``: the file of the snapshot to compare with. Every method raises `SnapshotError`.
    """

    def __init__(self, month: PublishedMonth, work: Path, previous: Path | None) -> None:
        self._month = month
        self._edition = read_edition(month)  # first: it is quick, and may fail
        self._staging = work / "rows"
        self._previous = previous
        # One for each previous snapshot: the file contains the changes since.
        self.made = work / (f"after {previous.parent.name}" if previous else "first")
        self.made.mkdir(parents=True, exist_ok=True)
        self._files = [file for file in month.files if file.kind in LAYOUTS]
        self._size = sum(file.content_size for file in self._files)
        self._progress = Progress(self._size * (1 + _JOINING + _CROSS_CHECK))
        self._duckdb = connect(str(work / "spill"))
        self._counts: Counts = {}

    def read(self) -> Counts:
        """Read every file with rows. Return their counts by kind."""
        for file in self._files:
            counts = self._read(file)
            of_kind = self._counts.setdefault(file.kind, dict.fromkeys(counts._fields, 0))
            for name, number in counts._asdict().items():
                of_kind[name] += number
        return self._counts

    def _read(self, file: PublishedFile) -> FileCounts:
        folder = self._staging / file.path.stem
        if is_read := folder.exists():
            self._progress.skip(file.content_size)
        else:
            read_file(self._duckdb, file, folder, self._progress.add)
        counts = count_rows(self._duckdb, folder)
        if counts.rows and counts.rows == counts.nameless:
            raise SnapshotError(f"{file.path.name} has {counts.rows:,} lines and not one row of a company")
        rejected = f", {counts.rejected:,} rejected" if counts.rejected else ""
        as_before = " (as before)" if is_read else ""
        self._progress.say(f"{file.path.name}: {counts.rows:,} rows{rejected}{as_before}")
        return counts

    def join(self, make_report: Callable[[Counter[str]], str]) -> None:
        """Write companies and establishments to the snapshot's file, with a report made of the counts."""
        open_joining(self._duckdb, self._staging)
        names = part_names(self._duckdb, self._staging)
        starts = ["", *map(part_start, names[1:]), _BEHIND_ALL]
        work = self._size * _JOINING / max(len(names), 1)
        with closing(SnapshotWriter(self.made / FILE, self._previous)) as writer:
            written = writer.parts()
            for n, part in enumerate(names):
                if part in written:
                    self._progress.skip(work)
                    continue
                rows = join_part(self._duckdb, self._staging, part)
                writer.write(part, rows, starts[n], starts[n + 1])
                self._progress.add(work)
                self._progress.say(f"companies {part}...")
            writer.finish(self._edition, make_report(writer.counts()))

    def cross_check(self) -> Sample:
        """Compare look-ups in the snapshot's file with a second reading of the files."""
        sample = take_sample(
            self._month,
            self.made / FILE,
            {kind: counts["rows"] for kind, counts in self._counts.items()},
            lambda size: self._progress.add(size * _CROSS_CHECK),
        )
        self._progress.say(f"cross-check: {sample['compared']} compared, {sample['different']} different")
        return sample

    def close(self) -> None:
        """Free DuckDB's memory."""
        self._duckdb.close()
