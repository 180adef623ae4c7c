"""The history that builds leave, compared with the records of the months that were published."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from brskills_server.adapters.snapshots.folder import FolderMonths
from brskills_server.adapters.snapshots.folder_history import HISTORY, FolderHistory
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.errors import CompanyNotFound
from brskills_server.registry.snapshot.histories import Histories
from brskills_server.registry.store import StoreFault
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from tests.integration.snapshot_builder.building import (
    DAY,
    LATER_DAY,
    NEXT_DAY,
    build,
    current_file,
    failure,
    make_copy,
    publish,
)
from tests.register.chance import Chance
from tests.register.company import companies
from tests.register.defects import ALL
from tests.register.files import Month
from tests.register.history import changes
from tests.register.model import Company
from tests.register.next_month import CHANGES

CUT_OFF = ALL["cut_off:Estabelecimentos"]


def histories(folder: Path) -> Histories:
    return Histories(StoredSnapshot(FolderMonths(folder)), lambda: FolderHistory(folder))


def history(folder: Path, number: str) -> dict[str, Any]:
    """Return the history of a number."""
    return histories(folder).find(number)


def expected(number: str, months: Sequence[Month]) -> list[dict[str, Any]]:
    """Return the changes that the records of these months say; unreadable ones say nothing."""
    records = [month.records() for month in months]
    found = []
    for n in range(len(months) - 1, 0, -1):
        if number in months[n - 1].lost | months[n].lost:
            continue
        found += [
            {"data_base": months[n].day.isoformat(), "campo": name, "de": before, "para": after}
            for name, before, after in changes(records[n - 1].get(number), records[n].get(number))
        ]
    return found


def numbers_of(months: Sequence[Month]) -> set[str]:
    return {number for month in months for case in month.cases for number in case.company.numbers()}


def changed(registered: Sequence[Company], seed: int) -> list[Company]:
    chance = Chance(seed)
    return [CHANGES[(n + seed) % len(CHANGES)](company, chance) for n, company in enumerate(registered)]


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Month]]:
    """Build three months with every kind of change, companies gone, new and back, and unreadable rows."""
    folder, registered = tmp_path_factory.mktemp("three"), list(companies(23, 100))
    second = changed(registered, 1)
    third = changed(second, 2)
    months = [
        publish(folder / "1", registered[:90], DAY, {registered[40].root: CUT_OFF}),
        publish(folder / "2", second[10:], NEXT_DAY, {second[50].root: CUT_OFF, second[51].root: CUT_OFF}),
        publish(folder / "3", third, LATER_DAY),
    ]
    for month in months:
        build(folder / "copy", month.folder)
    return folder / "copy", months


def test_every_company_has_the_changes_between_its_records(three: tuple[Path, list[Month]]) -> None:
    folder, months = three
    said = set()
    for number in numbers_of(months):
        found = history(folder, number)
        assert (found["cnpj"], found["desde"], found["data_base"]) == (number, f"{DAY}", f"{LATER_DAY}")
        assert found["mudancas"] == expected(number, months)
        said |= {change["campo"] for change in found["mudancas"]}
    assert len(said) == 13


def test_a_number_that_no_month_has_is_not_found(three: tuple[Path, list[Month]]) -> None:
    with pytest.raises(CompanyNotFound) as raised:
        history(three[0], "33000167000101")
    assert (raised.value.confirmed, raised.value.data_base) == (False, f"{LATER_DAY}")


def test_the_folder_may_be_read_only(
    three: tuple[Path, list[Month]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, months = three
    files = sorted((folder / HISTORY).iterdir())
    before = [(file.name, file.stat().st_mtime_ns) for file in files]
    for path in (folder / HISTORY, folder):
        path.chmod(0o555)
    try:
        assert history(folder, next(iter(months[2].records())))["desde"] == f"{DAY}"
    finally:
        for path in (folder / HISTORY, folder):
            path.chmod(0o755)
    assert [(file.name, file.stat().st_mtime_ns) for file in sorted((folder / HISTORY).iterdir())] == before


def test_a_first_month_says_nothing(tmp_path: Path, months: list[Month]) -> None:
    build(tmp_path, months[0].folder)
    for number in months[0].records():
        assert history(tmp_path, number) == {
            "cnpj": number, "desde": f"{DAY}", "data_base": f"{DAY}", "mudancas": [],
        }  # fmt: skip
    assert not (tmp_path / HISTORY).exists()


def test_a_rollback_ends_the_history_there_and_forward_again_continues_it(
    folder: Path, months: list[Month]
) -> None:
    number = next(iter(months[0].records()))  # gone in October
    gone = [{"data_base": f"{NEXT_DAY}", "campo": "registro", "de": None, "para": "ausente"}]
    assert history(folder, number)["mudancas"] == gone
    assert make_copy(folder, "rollback")[0] == 0
    found = history(folder, number)
    assert (found["mudancas"], found["desde"], found["data_base"]) == ([], f"{DAY}", f"{DAY}")
    assert make_copy(folder, "rollback")[0] == 0
    assert history(folder, number)["mudancas"] == gone
    assert make_copy(folder, "rollback")[0] == 0
    build(folder, months[2].folder)  # October is skipped: one step from September to November
    for number in numbers_of(months):
        found = history(folder, number)
        assert found["mudancas"] == expected(number, [months[0], months[2]])
        assert found["desde"] == f"{DAY}"


def test_a_month_that_is_built_again_says_together_what_changed_since_the_one_before(tmp_path: Path) -> None:
    registered = list(companies(29, 40))
    second, other = changed(registered, 1), changed(registered, 1)
    other[:20] = changed(second[:20], 5)
    first = publish(tmp_path / "1", registered, DAY)
    wrong = publish(tmp_path / "2", [*second[:30], *second[33:]], NEXT_DAY)
    right = publish(tmp_path / "3", [*other[:35], *other[38:]], NEXT_DAY)
    for month in (first, wrong, right):
        build(tmp_path / "copy", month.folder)
    for number in numbers_of([first, wrong, right]):
        found = history(tmp_path / "copy", number)["mudancas"]
        has_come_back = number in first.records() and number not in wrong.records()
        is_same = has_come_back and number in right.records()
        assert found == ([] if is_same else expected(number, [first, right]))
    build_again = make_copy(tmp_path / "copy", "build", right.folder, "--anew")
    assert build_again[0] == 0
    for number in right.records():
        assert [change["data_base"] for change in history(tmp_path / "copy", number)["mudancas"]] == [
            f"{NEXT_DAY}" for _ in history(tmp_path / "copy", number)["mudancas"]
        ]


def test_a_month_that_an_earlier_run_finished_has_its_changes(folder: Path, months: list[Month]) -> None:
    with patch.object(SnapshotFolder, "switch", side_effect=KeyboardInterrupt):
        failure(folder, months[2].folder)
    build(folder, months[2].folder)
    for number in numbers_of(months):
        assert history(folder, number)["mudancas"] == expected(number, months)


def test_steps_before_thirteen_months_are_deleted(folder: Path, months: list[Month]) -> None:
    (step,) = (folder / HISTORY).iterdir()
    old = step.with_name("aaaaaaaaaaaaaaaa.db")
    old.write_bytes(step.read_bytes())
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("UPDATE edition SET value = '2025-09-13' WHERE name = 'day'")
    (folder / HISTORY / "killed.part").touch()
    build(folder, months[2].folder)
    kept = {file.name for file in (folder / HISTORY).iterdir()}
    assert step.name in kept
    assert len(kept) == 2


def test_a_damaged_history_is_no_answer(folder: Path, months: list[Month]) -> None:
    (step,) = (folder / HISTORY).iterdir()
    step.write_bytes(b"damaged" * 4096)
    with pytest.raises((StoreFault, ValueError)):
        history(folder, next(iter(months[1].records())))
    step.unlink()
    found = history(folder, next(iter(months[1].records())))
    assert (found["desde"], found["mudancas"]) == (f"{NEXT_DAY}", [])


def test_without_a_copy_there_is_no_history(tmp_path: Path) -> None:
    for found in (histories(tmp_path / "none"), Histories(None, lambda: FolderHistory(tmp_path))):
        assert found.find("33000167000101") is None


def test_the_log_holds_neither_contacts_nor_more_than_what_changed(three: tuple[Path, list[Month]]) -> None:
    folder, months = three
    with closing(sqlite3.connect(current_file(folder))) as connection:
        text = "\n".join(body for (body,) in connection.execute("SELECT body FROM changes"))
    assert "@" not in text
    assert not any(cpf in text for month in months for cpf in month.cpfs)
