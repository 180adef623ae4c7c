"""The command ``make copy``: builds, rollbacks, and failures."""

import re
import shutil
import signal
import sqlite3
from contextlib import closing
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
from tests.integration.snapshot_builder.building import (
    DAY,
    LATER_DAY,
    NEXT_DAY,
    assert_holds,
    build,
    current_file,
    damage,
    failure,
    interrupted,
    make_copy,
    publish,
)
from tests.register import faults
from tests.register.company import companies
from tests.register.defects import ALL, spread


def test_a_further_month_is_built(folder, months):
    assert_holds(folder, months[1])
    assert kept_names(folder) == [str(NEXT_DAY), str(DAY)]
    assert all(
        path.stat().st_mode & 0o007 == 0 for path in [folder / str(DAY), *(folder / str(DAY)).iterdir()]
    )
    code, output = make_copy(folder, "build", months[2].folder)
    assert (code, output.splitlines()[-1]) == (0, f"the snapshot of {LATER_DAY} is in place")
    assert output.isascii()  # a terminal may know no other characters
    assert_holds(folder, months[2])
    assert sorted(path.name for path in folder.glob("2026*")) == [str(NEXT_DAY), str(LATER_DAY)]


def test_each_build_has_an_id_of_its_own(folder):
    ids = [FolderMonths(folder).in_place(None).edition.id]
    assert make_copy(folder, "rollback")[0] == 0
    ids.append(FolderMonths(folder).in_place(None).edition.id)
    assert len({*ids}) == 2
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in ids)


def test_the_snapshots_are_listed(folder):
    code, output = make_copy(folder, "list")
    assert code == 0
    assert [line.split()[:2] for line in output.splitlines()] == [[str(NEXT_DAY), "in"], [str(DAY), "kept"]]


def test_rollbacks_alternate(folder, months):
    for month, other in ((months[0], months[1]), (months[1], months[0])):
        code, output = make_copy(folder, "rollback")
        assert code == 0
        assert output.startswith(
            f"the snapshot {month.day} is in place again, instead of {other.day}; another"
        )
        assert_holds(folder, month)


def test_no_snapshot_to_roll_back_to(folder, months):
    shutil.rmtree(folder / str(DAY))
    assert make_copy(folder, "rollback") == (1, "there is no snapshot beside the one in place\n")
    assert_holds(folder, months[1])
    assert make_copy(folder.parent / "another", "rollback")[0] == 1


def test_a_snapshot_of_the_same_files_is_not_built_again(folder, months):
    """Neither the one in place nor, after a rollback, the one taken out of it, which stays there."""
    code, output = make_copy(folder, "build", months[1].folder)
    assert (code, "(--anew builds another)" in output) == (0, True)
    assert make_copy(folder, "rollback")[0] == 0
    code, output = make_copy(folder, "build", months[1].folder)
    assert (code, "taken out of place: rollback puts it in place again" in output) == (0, True)
    assert kept_names(folder) == [str(DAY), str(NEXT_DAY)]
    assert_holds(folder, months[0])
    assert make_copy(folder, "build", months[1].folder, "--anew")[0] == 0
    assert kept_names(folder) == [f"{NEXT_DAY}-2", str(DAY)]


def test_beside_a_damaged_snapshot_another_is_built_anew(folder, months):
    damage(current_file(folder))
    assert "or build again with --anew" in failure(folder, months[2].folder)
    code, output = make_copy(folder, "build", months[1].folder, "--anew")
    assert code == 0
    assert re.search(rf"^the snapshot in place, {NEXT_DAY}, is damaged .*: nothing is compared", output, re.M)
    assert kept_names(folder)[0] == f"{NEXT_DAY}-2"
    assert_holds(folder, months[1])


@pytest.mark.parametrize("arguments", [[], ["build"], ["list", "all"]])
def test_wrong_arguments_are_exit_code_2(folder, arguments):
    assert make_copy(folder, *arguments)[0] == 2


def test_help_needs_no_settings():
    assert make_copy(Path("/proc/none"), "build", "--help")[0] == 0


def test_other_files_of_the_same_day(folder, tmp_path):
    other = publish(tmp_path / "in", companies(11, 41), NEXT_DAY)
    build(folder, other.folder)
    assert kept_names(folder) == [f"{NEXT_DAY}-2", str(DAY)]
    assert_holds(folder, other)


def test_unlikely_months_are_rejected(folder, months, tmp_path):
    """Of an older day, with far too many rows, and with too many that cannot be read."""
    assert f"the files are of {DAY}" in failure(folder, months[0].folder)
    many = publish(tmp_path / "many", companies(11, 400), LATER_DAY)
    code, output = make_copy(folder, "build", many.folder)
    assert code == 1
    assert re.search(r"^Empresas: 400 rows; expected are 0 to \d+, for the", output, re.MULTILINE)
    assert f"the snapshot of {NEXT_DAY} stays in place" in output
    registered = list(companies(11, 40))
    defects = spread([ALL["cut_off:Empresas"]] * 21, registered)
    month = publish(tmp_path / "cut off", registered, LATER_DAY, defects)
    assert failure(folder, month.folder) == "Empresas: 21 of 40 rows cannot be read"
    assert_holds(folder, months[1])


def test_one_build_at_a_time(folder, months):
    """Meanwhile snapshots can be listed and rolled back."""
    with locked(SnapshotFolder(folder)):
        assert failure(folder, months[2].folder) == "another build is running in this folder"
        assert make_copy(folder, "list")[0] == make_copy(folder, "rollback")[0] == 0
    assert_holds(folder, months[0])


@pytest.mark.parametrize("name", ["a file", "a file/below"])
def test_a_folder_that_cannot_be_created(tmp_path, months, name):
    (tmp_path / "a file").touch()
    code, output = make_copy(tmp_path / name, "build", months[0].folder)
    assert (code, len(output.splitlines())) == (1, 1)
    assert "a file" in output


def test_a_folder_of_any_name(tmp_path, months):
    folder = tmp_path / "it's {current} ?#%20 [a]* ação"
    for month in months[:2]:
        build(folder, month.folder)
        assert_holds(folder, month)
        assert StoredSnapshot(FolderMonths(folder)).find(next(iter(month.records())))


@pytest.mark.parametrize("damaged", ["since */companies.db", "rows/Socios0/*/*.parquet"])
def test_damaged_work_files_are_deleted(folder, months, damaged):
    """After a power failure files may have their names without their content."""
    with interrupted():
        assert "resumes" in failure(folder, months[2].folder)
    for file in folder.glob(f"work/*/{damaged}"):
        file.write_bytes(bytes(file.stat().st_size))
    assert "deleted: run it again" in failure(folder, months[2].folder)
    assert_holds(folder, months[1])
    build(folder, months[2].folder)
    assert_holds(folder, months[2])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_duckdb_works(folder, months, number):
    """DuckDB replaces the signal's exception by its own."""

    def read(connection: duckdb.DuckDBPyConnection, *_: object) -> None:
        Timer(0.2, signal.raise_signal, [number]).start()
        connection.execute("SELECT max(hash(range)) FROM range(500000000)").fetchall()

    with patch("brskills_server.snapshot_builder.steps.read_file", read):
        assert "resumes" in failure(folder, months[2].folder)
    assert_holds(folder, months[1])


def test_a_rollback_while_a_build_is_interrupted(folder, months):
    """Changes are counted since the snapshot that is in place at the end."""
    with interrupted():
        failure(folder, months[2].folder)
    assert make_copy(folder, "rollback")[0] == 0
    changes = read_report(build(folder, months[2].folder))["changes"]
    assert changes["since"] == str(DAY)
    assert changes["companies"]["gone"] == 4


def test_other_files_in_the_folder_stay(folder, months):
    """The folder may contain the published files, and others with similar names."""
    shutil.copytree(months[2].folder, folder / "2026-11")
    (folder / "2026-01-01").touch()
    (folder / "2025-backup").mkdir()
    build(folder, folder)
    assert_holds(folder, months[2])
    assert len(list((folder / "2026-11").iterdir())) == 37
    assert (folder / "2026-01-01").exists()
    assert (folder / "2025-backup").exists()


@pytest.mark.parametrize("content", [b"\0" * 22, b"2026-10-1"])
def test_a_damaged_pointer(folder, months, tmp_path, content):
    """A service may have a snapshot open: it is deleted only when another is in place."""
    (folder / "current").write_bytes(content)
    assert make_copy(folder, "list") == (0, "there is no snapshot\n")
    damaged = shutil.copytree(months[2].folder, tmp_path / "in")
    faults.damaged(damaged, "Socios0.zip")
    failure(folder, damaged)
    assert "place cannot be read by this release: put the one before" in failure(folder, months[2].folder)
    assert {str(DAY), str(NEXT_DAY)} <= {path.name for path in folder.iterdir()}
    code, output = make_copy(folder, "build", months[2].folder, "--anew")
    assert code == 0, output
    assert_holds(folder, months[2])
    assert {path.name for path in folder.glob("2026*")} == {str(LATER_DAY)}


@pytest.mark.parametrize("of_root", [True, False])
def test_a_damaged_snapshot_in_place(folder, months, of_root):
    """It cannot be compared with: the reason names it, and what it recommends helps."""
    damage(current_file(folder), of_root)
    for _ in range(2):
        assert f"the snapshot in place, {NEXT_DAY}, is damaged" in failure(folder, months[2].folder)
    assert make_copy(folder, "rollback")[0] == 0
    build(folder, months[2].folder)
    assert_holds(folder, months[2])
    assert kept_names(folder) == [str(LATER_DAY), str(DAY)]


@pytest.mark.parametrize("is_missing", [True, False])
def test_a_snapshot_in_place_that_is_missing_or_of_another_format(folder, months, is_missing):
    """One that is built anew is compared with the month before, to which it is rolled back."""
    if is_missing:
        shutil.rmtree(folder / str(NEXT_DAY))
    else:
        with closing(sqlite3.connect(current_file(folder))) as connection, connection:
            connection.execute("UPDATE edition SET value = '1' WHERE name = 'format'")
            connection.execute("UPDATE rows SET body = body || body")
    assert "place cannot be read by this release: put the one before" in failure(folder, months[2].folder)
    code, output = make_copy(folder, "build", months[2].folder, "--anew")
    assert code == 0, output
    assert f"in place cannot be read by this release: the one of {DAY} is compared with" in output
    assert read_report(current_file(folder))["changes"]["since"] == str(DAY)
    assert make_copy(folder, "rollback")[0] == 0
    assert_holds(folder, months[0])
