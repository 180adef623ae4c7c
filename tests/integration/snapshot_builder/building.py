"""Months that are quick to build, and ``make copy`` in this process."""

import json
import os
import signal
import sqlite3
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from brskills_server.adapters.snapshots.folder import FILE, MonthFile, current_name
from brskills_server.registry.snapshot.rows import SnapshotCompany, record_text
from brskills_server.snapshot_builder.__main__ import main
from tests.register.defects import Defect
from tests.register.files import Month, write_member, write_month
from tests.register.layout import KINDS, members, zips_of
from tests.register.model import Company

DAY, NEXT_DAY, LATER_DAY = date(2026, 9, 12), date(2026, 10, 10), date(2026, 11, 7)


def publish(
    folder: Path,
    companies: Iterable[Company],
    day: date = DAY,
    defects: Mapping[str, Defect] | None = None,
    line_end: str = "\n",
    **options: Any,
) -> Month:
    """Write a month whose rows of a kind are all in one file; most of a small build is the number of files.

    The other files have a line end.
    """
    folder.mkdir(parents=True)
    month = write_month(folder, companies, day, defects, line_end=line_end, **options)
    for kind in KINDS:
        first, *others = zips_of(kind)
        rows = line_end.encode().join(filter(None, (content(folder / name) for name in (first, *others))))
        for name, lines in ((first, rows), *((other, b"\n") for other in others)):
            write_content(folder / name, lines, day)
    return month


def content(path: Path) -> bytes:
    """Return the content of a zip's member."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(archive.infolist()[0])


def write_content(path: Path, data: bytes, day: date = DAY) -> None:
    """Write one of a month's zips with another content."""
    write_member(path, members(day)[path.name], data, day)


def make_copy(folder: Path, *arguments: str | Path) -> tuple[int, str]:
    """Run ``make copy`` with the snapshots in ``folder``. Return its exit code and output."""
    output, at_sigterm, mask = StringIO(), signal.getsignal(signal.SIGTERM), os.umask(0o022)
    with (
        patch.dict(os.environ, REGISTRY_COPY=str(folder)),
        patch.object(os, "nice"),  # of the tests' process, for good
        patch.object(sys, "argv", ["snapshot_builder", *map(str, arguments)]),
        redirect_stdout(output),
        redirect_stderr(output),
    ):
        try:
            main()
        except SystemExit as end:
            if isinstance(end.code, str):
                return 1, f"{output.getvalue()}{end.code}\n"
            return int(end.code or 0), output.getvalue()
        finally:
            signal.signal(signal.SIGTERM, at_sigterm)
            os.umask(mask)
    return 0, output.getvalue()


def build(folder: Path, source: Path) -> Path:
    """Build a snapshot and return its file."""
    code, output = make_copy(folder, "build", source)
    assert code == 0, output
    return current_file(folder)


def failure(folder: Path, source: Path) -> str:
    """Build a snapshot, which must fail, and return the last line of the output."""
    code, output = make_copy(folder, "build", source)
    assert code == 1, output
    return output.splitlines()[-1]


@contextmanager
def interrupted(step: str = "take_sample") -> Iterator[None]:
    """Interrupt builds at a step, without another at the cross-check."""
    with patch(f"brskills_server.snapshot_builder.steps.{step}", side_effect=KeyboardInterrupt):
        yield


def current_file(folder: Path) -> Path:
    """Return the file of the snapshot in place."""
    name = current_name(folder)
    assert name is not None
    return folder / name / FILE


def record_of(file: Path, cnpj: str) -> dict[str, Any] | str | None:
    """Return the record of a number, "unknown" if a row of it is unusable, or `None` without one."""
    month = MonthFile(file)
    found = month.find(cnpj)
    if found is None:
        return None
    if not all(found):
        return "unknown"
    try:
        record: dict[str, Any] = json.loads(record_text(SnapshotCompany(cnpj, *found, month.edition)))
    except ValueError:
        return "unknown"
    return record


def records_of(file: Path, numbers: Iterable[str]) -> dict[str, Any]:
    """Return records by number."""
    return {number: record_of(file, number) for number in numbers}


def assert_holds(folder: Path, month: Month) -> None:
    """Assert that the snapshot in place has the records of a month without defects, and no others."""
    file, expected = current_file(folder), month.records()
    assert {key for key in rows_of(file) if len(key) == 14} == expected.keys()
    assert records_of(file, expected) == expected


def report_of(file: Path) -> dict[str, Any]:
    """Return the report beside a snapshot's file."""
    report: dict[str, Any] = json.loads((file.parent / "report.json").read_text(encoding="ascii"))
    return report


def rows_of(file: Path) -> dict[str, str]:
    """Return bodies by key."""
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute("SELECT key, body FROM rows").fetchall())


def damage(file: Path, of_root: bool = False) -> None:
    """Overwrite the root page of the rows, or all pages below the tables' root pages."""
    with closing(sqlite3.connect(file)) as connection:
        roots = dict(connection.execute("SELECT rootpage, name FROM sqlite_master").fetchall())
        (count,) = connection.execute("PRAGMA page_count").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as pages:
        for page in range(2, count + 1):
            if roots.get(page) == "rows" if of_root else page not in roots:
                pages.seek((page - 1) * size)
                pages.write(b"\x55" * size)
