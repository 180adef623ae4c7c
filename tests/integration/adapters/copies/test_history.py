"""The contract of every history of the register: filled with each month, read back from the one in place."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from brskills_server.registry.snapshot.changes import GONE, NEW
from brskills_server.registry.snapshot.history import RegisterHistory, StepRows
from tests.integration.adapters.copies.conftest import Shelf
from tests.integration.adapters.copies.months import CNPJ, OTHER, ROOT, write_file
from tests.integration.adapters.copies.test_contract import PARTNERS, quiet

JULY, AUGUST, SEPTEMBER = "2026-07-11", "2026-08-08", "2026-09-12"
FIRST, SECOND, THIRD = "a000000000000001", "a000000000000002", "a000000000000003"
RENAMED, RAISED = "rOLD\x1cNEW \\N Ç", "c1.00\x1c2.00"


@pytest.fixture
def put(shelf: Shelf, tmp_path: Path) -> Callable[..., None]:
    """Return a function that puts a month in place, with its changes since another one."""

    def run(build: str, day: str, since: tuple[str, str] | None = None, **changes: str) -> None:
        keys = {"root": ROOT, "cnpj": CNPJ, "other": OTHER}
        rows = {keys[name]: body for name, body in changes.items()}
        file = write_file(
            tmp_path / f"{build}.db", {CNPJ: "x", ROOT: "y"}, day, build=build, since=since, changes=rows
        )
        kept = {snapshot.name for snapshot in shelf.place.snapshots()}
        name = next(name for name in (day, f"{day}-2", f"{day}-3") if name not in kept)
        shelf.place.add(file, name, quiet)
        shelf.place.switch(name)

    return run


def listed(rows: list[StepRows]) -> list[tuple[str, str, str, str]]:
    return [(one.step.id, one.step.day.isoformat(), one.company, one.establishment) for one in rows]


@pytest.fixture
def history(shelf: Shelf) -> RegisterHistory:
    return shelf.open_history()


def test_the_steps_lead_back_to_the_first_month(history: RegisterHistory, put: Callable[..., None]) -> None:
    assert history.rows(CNPJ, FIRST) == []
    put(FIRST, JULY)
    assert history.rows(CNPJ, FIRST) == []
    put(SECOND, AUGUST, (FIRST, JULY), root=RENAMED, other=NEW)
    put(THIRD, SEPTEMBER, (SECOND, AUGUST), cnpj=RAISED, other=GONE)
    assert listed(history.rows(CNPJ, THIRD)) == [
        (THIRD, SEPTEMBER, "", RAISED),
        (SECOND, AUGUST, RENAMED, ""),
    ]
    assert listed(history.rows(OTHER, THIRD)) == [(THIRD, SEPTEMBER, "", GONE), (SECOND, AUGUST, "", NEW)]
    assert history.rows(CNPJ, THIRD)[-1].step.since_day == date.fromisoformat(JULY)
    assert listed(history.rows("00000000000191", THIRD)) == [
        (THIRD, SEPTEMBER, "", ""),
        (SECOND, AUGUST, "", ""),
    ]


def test_a_rollback_ends_the_history_with_the_month_in_place_and_another_month_continues_from_there(
    shelf: Shelf, history: RegisterHistory, put: Callable[..., None]
) -> None:
    put(FIRST, JULY)
    put(SECOND, AUGUST, (FIRST, JULY), root=RENAMED)
    shelf.place.switch(JULY)
    assert history.rows(CNPJ, FIRST) == []
    shelf.place.switch(AUGUST)
    assert listed(history.rows(CNPJ, SECOND)) == [(SECOND, AUGUST, RENAMED, "")]
    shelf.place.switch(JULY)
    put(THIRD, SEPTEMBER, (FIRST, JULY), cnpj=RAISED)
    assert listed(history.rows(CNPJ, THIRD)) == [(THIRD, SEPTEMBER, "", RAISED)]


def test_a_month_that_is_added_again_is_said_once(
    shelf: Shelf, history: RegisterHistory, put: Callable[..., None], tmp_path: Path
) -> None:
    put(FIRST, JULY)
    file = write_file(
        tmp_path / "again.db", {CNPJ: "x"}, AUGUST, build=SECOND, since=(FIRST, JULY), changes={ROOT: RENAMED}
    )
    for _ in range(2):
        shelf.place.add(file, AUGUST, quiet)
    shelf.place.switch(AUGUST)
    assert listed(history.rows(CNPJ, SECOND)) == [(SECOND, AUGUST, RENAMED, "")]


def test_steps_of_more_than_thirteen_months_before_are_gone(
    history: RegisterHistory, put: Callable[..., None]
) -> None:
    put(FIRST, "2025-06-14")
    put("b", "2025-07-12", (FIRST, "2025-06-14"), root=RENAMED)
    put(SECOND, "2025-08-16", ("b", "2025-07-12"), root=RENAMED)
    put(THIRD, SEPTEMBER, (SECOND, "2025-08-16"), cnpj=RAISED)
    found = history.rows(CNPJ, THIRD)
    assert listed(found) == [(THIRD, SEPTEMBER, "", RAISED), (SECOND, "2025-08-16", RENAMED, "")]
    assert found[-1].step.since_day == date(2025, 7, 12)


def test_a_long_row_is_returned_as_it_was_given(history: RegisterHistory, put: Callable[..., None]) -> None:
    put(FIRST, JULY)
    put(SECOND, AUGUST, (FIRST, JULY), root=f"q{PARTNERS}\x1c")
    assert listed(history.rows(CNPJ, SECOND)) == [(SECOND, AUGUST, f"q{PARTNERS}\x1c", "")]
