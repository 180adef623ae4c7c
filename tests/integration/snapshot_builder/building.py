"""Months that are quick to build, and ``make copy`` in this process."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
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
from tests.register.layout import members, zips_of
from tests.register.model import Company
from tests.register.rows import KINDS

DAY, NEXT_DAY = date(2026, 9, 12), date(2026, 10, 10)


def publish(
    folder: Path, companies: Iterable[Company], day: date = DAY, defects: Mapping[str, Defect] | None = None
) -> Month:
    """A month whose rows of a kind are all in one file: most of a small build is the number of files."""
    folder.mkdir(parents=True)
    month = write_month(folder, companies, day, defects)
    gather(month)
    return month


def gather(month: Month, line_end: str = "\n") -> None:
    """The rows of a kind into its first file. The others keep a line end."""
    for kind in KINDS:
        first, *others = zips_of(kind)
        found = filter(None, (_content(month.folder / name) for name in (first, *others)))
        rows = line_end.encode().join(found)
        for name, content in ((first, rows), *((other, b"\n") for other in others)):
            write_member(month.folder / name, members(month.day)[name], content, month.day)


def _content(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return archive.read(archive.infolist()[0])


def make_copy(folder: Path, *arguments: str | Path) -> tuple[int, str]:
    """``make copy`` with the copy in ``folder``: its exit code, and all that it says."""
    said, at_sigterm, mask = StringIO(), signal.getsignal(signal.SIGTERM), os.umask(0o022)
    with (
        patch.dict(os.environ, REGISTRY_COPY=str(folder)),
        patch.object(sys, "argv", ["snapshot_builder", *map(str, arguments)]),
        redirect_stdout(said),
        redirect_stderr(said),
    ):
        try:
            main()
        except SystemExit as end:
            if isinstance(end.code, str):
                return 1, f"{said.getvalue()}{end.code}\n"
            return int(end.code or 0), said.getvalue()
        finally:
            signal.signal(signal.SIGTERM, at_sigterm)
            os.umask(mask)
    return 0, said.getvalue()


def current_file(folder: Path) -> Path:
    """The file of the month in place."""
    name = current_name(folder)
    assert name is not None
    return folder / name / FILE


def reads_as(file: Path, cnpj: str) -> dict[str, Any] | str | None:
    """The record of a number; "unknown" where a row of it could not be read; ``None`` where there is none."""
    month = MonthFile(file)
    found = month.find(cnpj)
    if found is None:
        return None
    if not all(found):
        return "unknown"
    record: dict[str, Any] = json.loads(record_text(SnapshotCompany(cnpj, *found, month.edition)))
    return record


def rows_of(file: Path) -> dict[str, str]:
    """Bodies by key."""
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute("SELECT key, body FROM rows").fetchall())
