"""The long steps of a build, each of which resumes where an earlier run stopped."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import duckdb

from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.registry.frontier import FRONTIER
from brskills_server.snapshot_builder.chosen_rows import JoinedRow
from brskills_server.snapshot_builder.cross_check import Sample, take_sample
from brskills_server.snapshot_builder.edition import read_edition
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.frontier import read_frontier
from brskills_server.snapshot_builder.joining import (
    check_companies,
    join_range,
    open_joining,
    repeated_partners,
)
from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.lines import parts
from brskills_server.snapshot_builder.machine import ahead, share_of_machine
from brskills_server.snapshot_builder.macros import connect
from brskills_server.snapshot_builder.packing import pack_index
from brskills_server.snapshot_builder.progress import Progress
from brskills_server.snapshot_builder.ranges import BEHIND_ALL, Range, Rows, count_prefixes, ranges
from brskills_server.snapshot_builder.read_rows import ReadRows
from brskills_server.snapshot_builder.reading import FileCounts, count_filled, count_rows, read_file
from brskills_server.snapshot_builder.source_files import PublishedFile, PublishedMonth
from brskills_server.snapshot_builder.writer import SnapshotWriter

_JOINING, _CROSS_CHECK = 1.1, 0.2
"""Work of these steps for each byte of the files, relative to reading it; for the estimate alone."""
_LEAST_ROWS = 10_000
"""Fewer at once would not help a machine that runs out of memory with these."""


class BuildSteps:
    """The steps from a month's files to a snapshot in ``made``, a folder in ``work``.

    ``previous``: the file of the snapshot to compare with.
    Every method raises `SnapshotError`.
    """

    def __init__(self, month: PublishedMonth, work: Path, previous: Path | None) -> None:
        self._month = month
        self._edition = read_edition(month)  # first: it is quick, and may fail
        self._staging = work / "rows"
        self._previous = previous
        # One for each previous snapshot: the file contains the changes since.
        self.made = work / (f"since {previous.parent.name}" if previous else "first")
        self.made.mkdir(parents=True, exist_ok=True)
        self._files = [file for file in month.files if file.kind in LAYOUTS]
        self._size = sum(file.content_size for file in self._files)
        self._progress = Progress(self._size * (1 + _JOINING + _CROSS_CHECK))
        self._spill, self._share = str(work / "spill"), share_of_machine()
        self._duckdb = connect(self._spill, self._share)
        self._read = ReadRows()

    def read(self) -> ReadRows:
        """Read every file with rows."""
        missing = [file for file in self._files if not self._folder(file).exists()]
        self._progress.skip(sum(file.content_size for file in self._files if file not in missing))
        # The first part of a file is prepared while the last one of the file before is read.
        with closing(ahead((file, part) for file in missing for part in parts(file))) as prepared:
            by_file = groupby(prepared, itemgetter(0))
            for file in self._files:
                if file in missing:
                    _, of_file = next(by_file)
                    content = (part for _, part in of_file)
                    read_file(self._duckdb, file, self._folder(file), content, self._progress.add)
                counts = self._count(file, as_before=file not in missing)
                filled = count_filled(self._duckdb, self._folder(file), file.kind)
                identity = f"{file.content_size}-{file.crc:08x}"
                self._read.add(file.kind, file.name, counts, filled, identity)
        return self._read

    def _count(self, file: PublishedFile, as_before: bool) -> FileCounts:
        counts = count_rows(self._duckdb, self._folder(file))
        if counts.rows and counts.rows == counts.nameless:
            raise SnapshotError(f"{file.path.name} has {counts.rows:,} lines and not one row of a company")
        rejected = f", {counts.rejected:,} rejected" if counts.rejected else ""
        end = " (as before)" if as_before else ""
        self._progress.say(f"{file.path.name}: {counts.rows:,} rows{rejected}{end}")
        return counts

    def _folder(self, file: PublishedFile) -> Path:
        return self._staging / file.name.removesuffix(".zip")

    def join(self, make_report: Callable[[Counter[str]], str]) -> None:
        """Write companies and establishments to the snapshot's files, with a report made of the counts."""
        self._open_joining()
        counted = count_prefixes(self._duckdb, self._staging)
        with closing(SnapshotWriter(self.made, self._previous)) as writer:
            done = sum(rows.number for rows in counted if rows.prefix < writer.end())
            self._progress.skip(done * self._row_work(counted))
            self._write_ranges(writer, counted, self._share.rows)
            roots = read_frontier(self._duckdb, self._staging, self._month.day)
            texts = {**self._edition.texts, **({FRONTIER: roots} if roots else {})}
            writer.finish(self._edition._replace(texts=texts), make_report(writer.counts()))

    def _open_joining(self) -> None:
        """Connect anew: with the memory that DuckDB has used before, joining takes a quarter longer."""
        self._duckdb.close()
        self._duckdb = connect(self._spill, self._share)
        open_joining(self._duckdb, self._staging, self._share.threads)

    def _write_ranges(self, writer: SnapshotWriter, counted: list[Rows], most: int) -> None:
        """Write what is missing, each range of ``most`` rows at once while the next one is joined.

        Where the memory is not enough, ranges of fewer rows are tried.
        """
        try:
            self._write_all(writer, counted, most)
        except duckdb.OutOfMemoryException:
            if most < _LEAST_ROWS:
                raise
            print(f"out of memory with {most:,} rows at once: again with a quarter of them", flush=True)
            self._open_joining()
            self._write_ranges(writer, counted, most // 4)

    def _row_work(self, counted: list[Rows]) -> float:
        return self._size * _JOINING / max(sum(rows.number for rows in counted), 1)

    def _write_all(self, writer: SnapshotWriter, counted: list[Rows], most: int) -> None:
        work = self._row_work(counted)
        joined = map(self._join, ranges(counted, writer.end(), most))
        with closing(ahead(joined)) as following:
            for one, repeated, rows in following:
                writer.write(rows, one.start, one.end, repeated)
                self._progress.add(work * one.number)
                self._progress.say(
                    f"companies before {one.end}..." if one.end < BEHIND_ALL else "all companies"
                )

    def _join(self, one: Range) -> tuple[Range, int, Iterator[list[JoinedRow]]]:
        check_companies(self._duckdb, self._staging, one)
        repeated = repeated_partners(self._duckdb, self._staging, one)
        return one, repeated, join_range(self._duckdb.cursor(), self._staging, one)

    def pack_index(self) -> None:
        """Put the search index beside the snapshot's file, if no earlier run has."""
        if not (self.made / SEARCH_FILE).exists():
            pack_index(self.made)
        self._progress.say("the index is packed")

    def cross_check(self) -> Sample:
        """Compare look-ups in the snapshot's file with a second reading of the files."""
        sample = take_sample(
            self._month,
            self.made / FILE,
            self._read.rows["Empresas"]["rows"],
            lambda size: self._progress.add(size * _CROSS_CHECK),
            self._share.threads,
        )
        self._progress.say(f"cross-check: {sample['compared']} compared, {sample['different']} different")
        return sample

    def close(self) -> None:
        """Free DuckDB's memory."""
        self._duckdb.close()
