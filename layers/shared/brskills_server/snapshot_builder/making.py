"""Making a snapshot of a month's files, with all checks, beside the snapshot that it is compared with."""

import shutil
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder import checks
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.failures import DamagedError, named_failures, size_text
from brskills_server.snapshot_builder.file_checks import file_issues
from brskills_server.snapshot_builder.issues import print_accepted
from brskills_server.snapshot_builder.read_rows import ReadRows
from brskills_server.snapshot_builder.report import format_report, read_report, write_report
from brskills_server.snapshot_builder.source_files import PublishedMonth
from brskills_server.snapshot_builder.sources.month import Files
from brskills_server.snapshot_builder.steps import BuildSteps
from brskills_server.snapshot_builder.work import delete_work

_ROWS_SHARE, _INDEX_SHARE = 0.35, 0.35
"""Disk for the read rows and for the search index, which is twice there while it is packed, as shares of the
unpacked files; the snapshot's file is as large as these."""


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes a snapshot in the folder ``work``. ``source``, ``accepted``: as in `build.build_snapshot`."""

    month: PublishedMonth
    work: Path
    source: Files
    accepted: Collection[str]

    def make(self, previous: Path | None) -> Path:
        """Return a folder with a checked snapshot, compared with the file ``previous``.

        Raise `SnapshotError`.
        """
        print(self._check_space())
        try:
            with (
                named_failures(self.work.parent, self._disk_needed()),
                closing(BuildSteps(self.month, self.work, previous)) as steps,
            ):
                return self._run(steps, read_report(previous) if previous else {})
        except DamagedError as error:
            delete_work(self.work)  # after a power failure the files in it may be incomplete
            text = f"the build's own files failed ({error}) and are deleted: run it again"
            raise SnapshotError(text) from None

    def _run(self, steps: BuildSteps, report: Mapping[str, Any]) -> Path:
        read, before = steps.read(), ReadRows.of_report(report) if report else ReadRows()
        if report.get("day") == self.month.day.isoformat():  # corrected files: most are the same
            before.contents.clear()
        checks.check_rejects(read.rows)
        print_accepted([*file_issues(read, before)], self.accepted)
        steps.join(
            lambda counts: format_report(
                self.month, read, counts, report.get("day"), self.source, self.accepted
            )
        )
        made = read_report(steps.made / FILE)
        _print_odd(made["register"])
        print_accepted(checks.register_issues(made["register"], made["changes"], read.filled), self.accepted)
        with ThreadPoolExecutor(1) as beside:  # packing takes one processor, and none of Python's lock
            checked = beside.submit(steps.cross_check)
            steps.pack_index()
        sample = checked.result()
        checks.check_sample(sample)
        write_report(steps.made, sample)
        return steps.made

    def _disk_needed(self) -> int:
        return int(self.month.content_size * (1 + _ROWS_SHARE + _INDEX_SHARE))

    def _check_space(self) -> str:
        """Return the disk that the build takes, as a line of text. Raise `SnapshotError` if less is free."""
        used = sum(file.stat().st_size for file in self.work.rglob("*") if file.is_file())
        whole, rows = self._disk_needed(), int(self.month.content_size * _ROWS_SHARE)
        needed, free = whole - used, shutil.disk_usage(self.work).free
        if free < needed:
            text = f"{size_text(needed)} of disk are needed at {self.work.parent}"
            raise SnapshotError(f"{text}, and {size_text(free)} are free")
        parts = (
            f"{size_text(rows)} for temporary files, {size_text(whole - rows)} for the snapshot and its index"
        )
        return f"up to {size_text(whole)} of disk: {parts}"


def _print_odd(register: Mapping[str, int]) -> None:
    odd = {"blank": "beside an empty row", "repeated": "repeated", "contradicted": "contradicted by others"}
    found = [f"{register[name]:,} {text}" for name, text in odd.items() if register[name]]
    if found:
        print(f"of {register['establishments']:,} establishments and their companies: {', '.join(found)}")
