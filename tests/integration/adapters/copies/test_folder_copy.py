"""The snapshot in a folder: months that are replaced or removed while it is read, and damaged files."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from brskills_server.adapters.snapshots.folder import CURRENT, FolderMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.snapshot.rows import FIELD_SEPARATOR, record_text
from brskills_server.registry.snapshot.source import SnapshotSource
from brskills_server.registry.store import StoreFault
from tests.conftest import Clock
from tests.register.copy_file import rows_of, write_copy
from tests.simulator.companies import company

SEPTEMBER, OCTOBER = date(2026, 9, 12), date(2026, 10, 10)
COMPANY, BRANCH, NEW = "11222333000181", "11222333000262", "33000167000101"
LOOK_SECONDS = 5


@pytest.fixture
def copy(tmp_path: Path, clock: Clock) -> StoredSnapshot:
    return StoredSnapshot(FolderMonths(tmp_path / "receita"), clock)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "receita"


def test_a_root_that_was_not_read_is_empty(copy: StoredSnapshot, folder: Path) -> None:
    write_copy(folder, {COMPANY: "row"}, SEPTEMBER)
    found = copy.find(COMPANY)
    assert (found.establishment_row, found.company_row) == ("row", "")


@pytest.mark.parametrize("left", ["nothing", "folder", "empty name"])
def test_a_folder_without_a_copy_has_none(copy: StoredSnapshot, folder: Path, left: str) -> None:
    if left != "nothing":
        folder.mkdir()
    if left == "empty name":
        (folder / CURRENT).write_text("\n")
    assert copy.edition() is None
    assert copy.find(COMPANY) is None


def break_file(file: Path, how: str) -> None:
    match how:
        case "missing":
            file.unlink()
        case "empty":
            file.write_bytes(b"")
        case "garbage":
            file.write_bytes(b"not a database, but as long as a page of one" * 100)
        case "no tables":
            file.unlink()
            sqlite3.connect(file).close()
            with closing(sqlite3.connect(file)) as database, database:
                database.execute("CREATE TABLE other (x)")
        case _:
            with closing(sqlite3.connect(file)) as database, database:
                database.execute(STATEMENTS[how])


STATEMENTS = {
    "no day": "DELETE FROM edition WHERE name = 'day'",
    "invalid day": "UPDATE edition SET value = 'September' WHERE name = 'day'",
    "invalid texts": "UPDATE edition SET value = '{' WHERE name = 'texts'",
    "older format": "UPDATE edition SET value = '1' WHERE name = 'format'",
    "no id": "DELETE FROM edition WHERE name = 'id'",
}
FAULTS = ["missing", "empty", "garbage", "no tables", *STATEMENTS]


@pytest.mark.parametrize("how", FAULTS)
def test_an_invalid_file_is_a_store_fault_and_the_month_before_is_still_read(
    copy: StoredSnapshot, folder: Path, clock: Clock, how: str
) -> None:
    write_copy(folder, [company(COMPANY)], SEPTEMBER)
    assert copy.find(COMPANY)
    break_file(write_copy(folder, [company(COMPANY)], OCTOBER), how)
    clock.now += LOOK_SECONDS
    found = copy.find(COMPANY)
    assert found.edition.day == SEPTEMBER
    opened = StoredSnapshot(FolderMonths(folder), clock)
    for read in (opened.edition, lambda: opened.find(COMPANY)):
        with pytest.raises(StoreFault):
            read()


def test_a_file_cut_short_is_a_fault_where_it_is_read(copy: StoredSnapshot, folder: Path) -> None:
    many = [company(f"{number:08}000100") for number in range(2000)]
    file = write_copy(folder, many, SEPTEMBER)
    with file.open("r+b") as whole:
        whole.truncate(file.stat().st_size // 2 // 4096 * 4096)
    with pytest.raises(StoreFault):
        [copy.find(record["cnpj"]) for record in many]


@pytest.mark.parametrize(
    ("key", "damaged"),
    [(COMPANY, "CAST(x'ff' AS TEXT)"), (COMPANY[:8], "x'ff'"), (COMPANY, "7"), (COMPANY[:8], "7.5")],
)
def test_a_row_that_is_not_text_affects_its_company_alone(
    copy: StoredSnapshot, folder: Path, key: str, damaged: str
) -> None:
    file = write_copy(folder, [company(COMPANY), company(NEW)], SEPTEMBER)
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(  # a column's type would make a text of each number
            "CREATE TABLE r (key, body, PRIMARY KEY (key)) WITHOUT ROWID; INSERT INTO r SELECT * FROM rows;"
            "DROP TABLE rows; ALTER TABLE r RENAME TO rows;"
        )
        database.execute(f"UPDATE rows SET body = {damaged} WHERE key = ?", [key])  # noqa: S608, of this test
    with pytest.raises(ValueError, match=r"text|decode"):
        copy.find(COMPANY)
    assert copy.find(NEW)
    source = SnapshotSource(copy, copy._clock, lambda *_: None)
    assert type(source.read(COMPANY)).__name__ == "Rejected"
    assert isinstance(source.read(NEW), str), "the others do not wait for the copy's rest"


def test_a_damaged_page_leaves_the_others_alone(copy: StoredSnapshot, folder: Path) -> None:
    """The numbers are pages apart; one page is overwritten."""
    numbers = [f"{n:08}000100" for n in range(0, 10**8, 10**6)]
    file = write_copy(folder, [company(cnpj) for cnpj in numbers], SEPTEMBER)
    whole, size = file.read_bytes(), 4096
    page = whole.rindex(f"{numbers[50]}2".encode()[:14]) // size * size
    file.write_bytes(whole[:page] + b"\xff" * size + whole[page + size :])
    source = SnapshotSource(copy, copy._clock, lambda *_: None)
    results = [source.read(cnpj) for cnpj in numbers]
    assert type(results[50]).__name__ == "Rejected"
    assert source.health().state == "degraded"
    write_copy(folder, [company(numbers[50])], OCTOBER)
    copy._clock.now += LOOK_SECONDS
    assert source.health().state == "operational"
    assert isinstance(source.read(numbers[50]), str)
    assert sum(isinstance(result, str) for result in results) > len(numbers) // 2


@pytest.mark.parametrize(
    ("fact", "damaged"),
    [("day", "x'323032362d30392d3132'"), ("texts", "CAST(x'ff' AS TEXT)"), ("format", "20260912")],
)
def test_a_month_whose_facts_are_not_texts_is_a_fault(
    copy: StoredSnapshot, folder: Path, fact: str, damaged: str
) -> None:
    file = write_copy(folder, [company(COMPANY)], SEPTEMBER)
    with closing(sqlite3.connect(file)) as database, database:
        # Nothing keeps a value that one wrong bit makes from another type, as a column's would.
        database.executescript("DROP TABLE edition; CREATE TABLE edition (name, value);")
        facts = {"format": "2", "day": "2026-09-12", "texts": "{}", "id": "a"}
        database.executemany("INSERT INTO edition VALUES (?, ?)", facts.items())
        database.execute(f"UPDATE edition SET value = {damaged} WHERE name = ?", [fact])  # noqa: S608, of this test
    with pytest.raises(StoreFault):
        copy.edition()


def test_a_folder_put_in_anothers_place_is_taken_though_its_month_has_the_same_name(
    copy: StoredSnapshot, folder: Path, clock: Clock
) -> None:
    other = folder.with_name("other")
    write_copy(folder, [company(COMPANY)], SEPTEMBER, "same")
    write_copy(other, [company(NEW)], OCTOBER, "same")
    assert copy.find(COMPANY)
    folder.rename(folder.with_name("former"))
    other.rename(folder)
    clock.now += LOOK_SECONDS
    assert copy.find(COMPANY) is None
    found = copy.find(NEW)
    assert found.edition.day == OCTOBER


@pytest.mark.parametrize("following", [True, False])
def test_a_month_that_is_deleted_is_left_at_once(copy: StoredSnapshot, folder: Path, following: bool) -> None:
    write_copy(folder, [company(COMPANY)], SEPTEMBER)
    assert copy.find(COMPANY)
    if following:
        write_copy(folder, [company(COMPANY)], OCTOBER)
    shutil.rmtree(folder / SEPTEMBER.isoformat())
    assert copy.find(COMPANY), "who has it open reads on"
    idle = copy._month._connections._idle
    while idle:  # as where more threads look up at once than ever before
        idle.pop().close()
    if following:
        found = copy.find(COMPANY)
        assert found.edition.day == OCTOBER
    else:
        with pytest.raises(StoreFault, match="current month is missing"):
            copy.find(COMPANY)


def test_its_rows_are_the_records_text(copy: StoredSnapshot, folder: Path) -> None:
    rows = rows_of(company(COMPANY))
    write_copy(folder, {**rows, BRANCH: rows[COMPANY] + FIELD_SEPARATOR}, SEPTEMBER)
    found, damaged = copy.find(COMPANY), copy.find(BRANCH)
    assert found is not None
    assert '"fonte":"receita"' in record_text(found)
    assert damaged is not None
    with pytest.raises(ValueError, match="number of fields"):
        record_text(damaged)
