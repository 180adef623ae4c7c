"""The command ``make copy``: builds, rollbacks, and failures."""

from __future__ import annotations

import re
import shutil
import signal
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from threading import Timer
from unittest.mock import patch

import duckdb
import pytest

from brskills_server.adapters.snapshots.folder import FolderMonths, kept_names
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.snapshot_builder.build import locked
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.report import read_report
from tests.integration.snapshot_answers.published import write_rows
from tests.integration.snapshot_builder.building import (
    DAY,
    NEXT_DAY,
    current_file,
    make_copy,
    publish,
    reads_as,
    rows_of,
)
from tests.register import faults
from tests.register.company import companies
from tests.register.defects import ALL, spread
from tests.register.digits import cnpj_digits
from tests.register.files import Month
from tests.register.rows import KINDS, fields_of

LATER_DAY = date(2026, 11, 7)


@pytest.fixture(scope="module")
def months(tmp_path_factory) -> list[Month]:
    folder, registered = tmp_path_factory.mktemp("months"), list(companies(11, 40))
    published = [(DAY, registered), (NEXT_DAY, registered[2:]), (LATER_DAY, registered[4:])]
    return [publish(folder / f"{day}", some, day) for day, some in published]


@pytest.fixture(scope="module")
def two(months, tmp_path_factory) -> Path:
    """A folder with September and October."""
    folder = tmp_path_factory.mktemp("two")
    for month in months[:2]:
        assert make_copy(folder, "build", month.folder)[0] == 0
    return folder


@pytest.fixture
def folder(two, tmp_path) -> Path:
    return shutil.copytree(two, tmp_path / "copy")


def assert_holds(folder: Path, month: Month) -> None:
    expected = month.records()
    assert {key for key in rows_of(current_file(folder)) if len(key) == 14} == expected.keys()
    assert all(reads_as(current_file(folder), number) == record for number, record in expected.items())


def last_line(said: str) -> str:
    return said.splitlines()[-1]


def test_a_month_after_another(folder, months):
    assert_holds(folder, months[1])
    assert kept_names(folder) == [str(NEXT_DAY), str(DAY)]
    code, said = make_copy(folder, "build", months[2].folder)
    assert (code, last_line(said)) == (0, f"the snapshot of {LATER_DAY} is in place")
    assert said.isascii()  # a terminal may know no other characters
    assert_holds(folder, months[2])
    assert sorted(path.name for path in folder.glob("2026*")) == [str(NEXT_DAY), str(LATER_DAY)]


def test_the_months_are_listed(folder):
    code, said = make_copy(folder, "list")
    assert code == 0
    assert [line.split()[:2] for line in said.splitlines()] == [[str(NEXT_DAY), "in"], [str(DAY), "kept"]]


def test_rollbacks_alternate(folder, months):
    for month in (months[0], months[1]):
        code, said = make_copy(folder, "rollback")
        assert (code, last_line(said)) == (0, f"the snapshot {month.day} is in place again")
        assert_holds(folder, month)


def test_no_snapshot_to_roll_back_to(tmp_path, months):
    assert make_copy(tmp_path / "copy", "rollback")[0] == 1
    assert make_copy(tmp_path / "copy", "build", months[0].folder)[0] == 0
    code, said = make_copy(tmp_path / "copy", "rollback")
    assert (code, last_line(said)) == (1, "there is no snapshot beside the one in place")
    assert_holds(tmp_path / "copy", months[0])


def test_a_month_after_a_rollback(folder, months):
    """The month that was gone back from is there still, and is not built again."""
    before = current_file(folder).stat().st_ino
    assert make_copy(folder, "rollback")[0] == 0
    assert make_copy(folder, "build", months[1].folder)[0] == 0
    assert_holds(folder, months[1])
    assert kept_names(folder) == [str(NEXT_DAY), str(DAY)]
    assert current_file(folder).stat().st_ino == before


def test_the_same_files_again(folder, months):
    before = current_file(folder).stat().st_ino
    code, said = make_copy(folder, "build", months[1].folder)
    assert (code, "(--anew builds another)" in said) == (0, True)
    assert current_file(folder).stat().st_ino == before
    assert make_copy(folder, "build", months[1].folder, "--anew")[0] == 0
    assert kept_names(folder) == [f"{NEXT_DAY}-2", str(NEXT_DAY)]


def test_only_the_owner_and_its_group_may_read(two):
    made = [two / str(DAY), *(two / str(DAY)).iterdir()]
    assert all(path.stat().st_mode & 0o007 == 0 for path in made)


@pytest.mark.parametrize("arguments", [[], ["build"], ["list", "all"]])
def test_wrong_arguments_are_exit_code_2(folder, arguments):
    assert make_copy(folder, *arguments)[0] == 2


def test_help_needs_no_settings():
    assert make_copy(Path("/proc/none"), "build", "--help")[0] == 0


def test_other_files_of_the_same_day(folder, months, tmp_path):
    other = publish(tmp_path / "in", companies(11, 41), NEXT_DAY)
    assert make_copy(folder, "build", other.folder)[0] == 0
    assert kept_names(folder) == [f"{NEXT_DAY}-2", str(NEXT_DAY)]
    assert_holds(folder, other)


def test_files_of_an_older_day(folder, months):
    code, said = make_copy(folder, "build", months[0].folder)
    assert (code, f"the files are of {DAY}" in last_line(said)) == (1, True)
    assert_holds(folder, months[1])


def test_far_too_many_rows(folder, months, tmp_path):
    month = publish(tmp_path / "in", companies(11, 400), LATER_DAY)
    code, said = make_copy(folder, "build", month.folder)
    assert code == 1
    assert re.search(r"^Empresas: 400 rows, and 0 to \d+ after the month before$", said, re.MULTILINE)
    assert_holds(folder, months[1])


def test_too_many_rows_that_cannot_be_read(folder, months, tmp_path):
    registered = list(companies(11, 40))
    defects = spread([ALL["cut_off:Empresas"]] * 21, registered)
    month = publish(tmp_path / "in", registered, LATER_DAY, defects)
    code, said = make_copy(folder, "build", month.folder)
    assert (code, last_line(said)) == (1, "Empresas: 21 of 40 rows cannot be read")
    assert_holds(folder, months[1])


def test_one_build_at_a_time(folder, months):
    """While one is under way, an operator may look and go back."""
    with locked(SnapshotFolder(folder)):
        assert make_copy(folder, "build", months[2].folder) == (
            1,
            "another build is running in this folder\n",
        )
        assert make_copy(folder, "list")[0] == make_copy(folder, "rollback")[0] == 0
    assert_holds(folder, months[0])


@pytest.mark.parametrize("name", ["a file", "a file/below"])
def test_a_folder_that_cannot_be_made(tmp_path, months, name):
    (tmp_path / "a file").touch()
    code, said = make_copy(tmp_path / name, "build", months[0].folder)
    assert (code, len(said.splitlines())) == (1, 1)
    assert "a file" in said


@pytest.mark.parametrize("name", ["it's {current} ?#%20 [a]* ação"])
def test_a_folder_of_any_name(tmp_path, months, name):
    folder = tmp_path / name
    for month in months[:2]:
        code, said = make_copy(folder, "build", month.folder)
        assert code == 0, said
        assert_holds(folder, month)
        assert StoredSnapshot(FolderMonths(folder)).find(next(iter(month.records())))


@pytest.mark.parametrize("spoilt", ["after */companies.db", "rows/Socios0/*/*.parquet"])
def test_work_that_is_not_whole_is_begun_again(folder, months, spoilt):
    """A machine that lost its power keeps names of files without what was in them."""
    with patch("brskills_server.snapshot_builder.steps.take_sample", side_effect=KeyboardInterrupt):
        code, said = make_copy(folder, "build", months[2].folder)
    assert (code, "resumes" in last_line(said)) == (1, True)
    for file in folder.glob(f"work/*/{spoilt}"):
        file.write_bytes(bytes(file.stat().st_size))
    code, said = make_copy(folder, "build", months[2].folder)
    assert (code, "deleted: run it again" in last_line(said)) == (1, True)
    assert_holds(folder, months[1])
    assert make_copy(folder, "build", months[2].folder)[0] == 0
    assert_holds(folder, months[2])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_duckdb_works(folder, months, number):
    """DuckDB replaces the signal's exception by its own."""

    def read(connection: duckdb.DuckDBPyConnection, *_: object) -> None:
        Timer(0.2, signal.raise_signal, [number]).start()
        connection.execute("SELECT max(hash(range)) FROM range(500000000)").fetchall()

    with patch("brskills_server.snapshot_builder.steps.read_file", read):
        code, said = make_copy(folder, "build", months[2].folder)
    assert (code, "resumes" in last_line(said)) == (1, True)
    assert make_copy(folder, "build", months[2].folder)[0] == 0
    assert_holds(folder, months[2])


def test_a_rollback_while_a_build_is_interrupted(folder, months, tmp_path):
    """Changes are counted since the snapshot that is in place in the end."""
    with patch("brskills_server.snapshot_builder.steps.take_sample", side_effect=KeyboardInterrupt):
        assert make_copy(folder, "build", months[2].folder)[0] == 1
    assert make_copy(folder, "rollback")[0] == 0
    assert make_copy(folder, "build", months[2].folder)[0] == 0
    changes = read_report(current_file(folder))["changes"]
    assert changes["since"] == str(DAY)
    assert changes["companies"]["gone"] == 4


def test_an_establishment_of_which_no_row_can_be_read(tmp_path, months):
    """Not even its company's, and no other is near it."""
    registered = [case.company for case in months[0].cases]
    rows = {kind: [row for company in registered for row in fields_of(company, kind)] for kind in KINDS}
    rows["Empresas"].append(("93000000", "CUT OFF"))
    rows["Estabelecimentos"].append(("93000000", "0001", cnpj_digits("930000000001"), "1"))
    (tmp_path / "in").mkdir()
    write_rows(tmp_path / "in", rows, DAY)
    code, said = make_copy(tmp_path / "copy", "build", tmp_path / "in")
    assert code == 0, said
    number = "930000000001" + cnpj_digits("930000000001")
    assert reads_as(current_file(tmp_path / "copy"), number) == "unknown"


def test_other_files_in_the_folder_stay(folder, months):
    """``FROM`` may be the copy's own folder: what was given is not touched, nor what has a like name."""
    shutil.copytree(months[2].folder, folder / "2026-11")
    (folder / "2026-01-01").touch()
    (folder / "2025-backup").mkdir()
    code, said = make_copy(folder, "build", folder)
    assert code == 0, said
    assert_holds(folder, months[2])
    assert len(list((folder / "2026-11").iterdir())) == 37
    assert (folder / "2026-01-01").exists()
    assert (folder / "2025-backup").exists()


@pytest.mark.parametrize("content", [b"\0" * 22, b"2026-10-1"])
def test_a_pointer_that_is_damaged(folder, months, tmp_path, content):
    """A service may have a snapshot open: it is deleted only when another is in place."""
    (folder / "current").write_bytes(content)
    assert make_copy(folder, "list") == (0, "")
    damaged = shutil.copytree(months[2].folder, tmp_path / "in")
    faults.damaged(damaged, "Socios0.zip")
    assert make_copy(folder, "build", damaged)[0] == 1
    assert {str(DAY), str(NEXT_DAY)} <= {path.name for path in folder.iterdir()}
    assert make_copy(folder, "build", months[2].folder)[0] == 0
    assert_holds(folder, months[2])
    assert {path.name for path in folder.glob("2026*")} == {str(LATER_DAY)}


def test_the_month_in_place_is_lost(folder, months):
    """The one before it is still what is gone back to."""
    shutil.rmtree(folder / str(NEXT_DAY))
    assert make_copy(folder, "build", months[2].folder)[0] == 0
    assert make_copy(folder, "rollback")[0] == 0
    assert_holds(folder, months[0])


def test_the_month_in_place_is_damaged(folder, months):
    """It cannot be compared with: the reason says so, and what helps does help."""
    with closing(sqlite3.connect(current_file(folder))) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'rows'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with current_file(folder).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\x55" * size)
    for _ in range(2):
        code, said = make_copy(folder, "build", months[2].folder)
        assert (code, f"the snapshot in place, {NEXT_DAY}, is damaged" in last_line(said)) == (1, True)
    assert make_copy(folder, "rollback")[0] == 0
    assert make_copy(folder, "build", months[2].folder)[0] == 0
    assert_holds(folder, months[2])
    assert kept_names(folder) == [str(LATER_DAY), str(DAY)]
