"""The contract of every destination of snapshots and of its reader."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from itertools import count
from pathlib import Path

import pytest

from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.snapshot.rows import (
    FIELD_SEPARATOR,
    ITEM_SEPARATOR,
    PART_SEPARATOR,
    PARTNER_FIELDS,
)
from brskills_server.snapshot_builder.destinations.destination import Destination, KeptSnapshot
from brskills_server.snapshot_builder.errors import SnapshotError
from tests.conftest import Clock
from tests.integration.adapters.copies.conftest import Shelf
from tests.integration.adapters.copies.months import CNPJ, OTHER, ROOT, write_file

AUGUST, SEPTEMBER = "2026-08-08", "2026-09-12"

PARTNERS = ITEM_SEPARATOR.join(
    PART_SEPARATOR.join(["2", f"SÓCIO {n} DA COMPANHIA", "***123456**"] + [""] * 7) for n in range(10_000)
)
TRICKY = {
    ROOT: "PADARIA \\N \"ÇÃO\" \t'x' 100% ; , | £ ✓" + FIELD_SEPARATOR * 11,
    CNPJ: FIELD_SEPARATOR.join(["1", "A\\", "{}", "[]"]),
    OTHER[:8]: "MUITOS" + FIELD_SEPARATOR * 11 + PARTNERS,
    OTHER: "",
    "00000000000191": "a root of which nothing is known",
}


def quiet(_: int) -> None:
    """Discard the progress."""


def put(place: Destination, folder: Path, name: str, rows: dict[str, str], day: str | None = None) -> None:
    place.add(write_file(folder / f"{name}.db", rows, day or name), name, quiet)
    place.switch(name)


def test_the_rows_of_a_month_are_found_as_they_were_given(
    place: Destination, own_copy: RegisterSnapshot, tmp_path: Path
) -> None:
    assert len(PARTNERS.encode()) > 400_000
    assert len(PARTNERS.split(ITEM_SEPARATOR)[0].split(PART_SEPARATOR)) == len(PARTNER_FIELDS)
    file = write_file(tmp_path / "month.db", TRICKY, SEPTEMBER, {"motivos": {"X1": "Ç"}})
    reported: list[int] = []
    place.add(file, SEPTEMBER, reported.append)
    place.switch(SEPTEMBER)
    for cnpj in (CNPJ, OTHER, "00000000000191"):
        found = own_copy.find(cnpj)
        assert (found.cnpj, found.establishment_row, found.company_row) == (
            cnpj,
            TRICKY[cnpj],
            TRICKY.get(cnpj[:8], ""),
        )
        assert found.edition.day == date(2026, 9, 12)
        assert found.edition.text("motivos", "X1") == "Ç"
    for cnpj in ("12345678000276", "99999999000191", "zz345678000101"):
        assert own_copy.find(cnpj) is None
    assert reported[-1] == len(TRICKY)


def test_many_companies_are_found_at_once(
    place: Destination, own_copy: RegisterSnapshot, tmp_path: Path
) -> None:
    numbers = [f"{root:08}000{branch}{root % 100:02}" for root in range(80) for branch in (1, 2)]
    rows = {number: f"establishment {number}" for number in numbers if number[:8] != "00000007"}
    put(place, tmp_path, SEPTEMBER, rows | {number[:8]: f"company {number[:8]}" for number in rows})
    found = own_copy.find_many([*numbers, *numbers[:2]])
    assert found.keys() == rows.keys()
    assert all(found[number] == own_copy.find(number) for number in (numbers[0], numbers[1], numbers[-1]))
    assert {company.company_row for company in found.values()} == {f"company {n[:8]}" for n in rows}
    assert own_copy.find_many([]) == {}


def test_a_month_has_the_id_of_its_build(
    place: Destination, own_copy: RegisterSnapshot, tmp_path: Path
) -> None:
    place.add(write_file(tmp_path / "month.db", TRICKY, build="b000000000000001"), SEPTEMBER, quiet)
    place.switch(SEPTEMBER)
    edition = own_copy.edition()
    assert edition
    assert edition.id == "b000000000000001"


def test_without_a_current_month_there_is_no_snapshot(
    place: Destination, own_copy: RegisterSnapshot, tmp_path: Path, clock: Clock
) -> None:
    assert place.snapshots() == []
    assert (own_copy.edition(), own_copy.find(CNPJ)) == (None, None)
    place.add(write_file(tmp_path / "month.db", TRICKY), SEPTEMBER, quiet)
    assert place.snapshots() == [KeptSnapshot(SEPTEMBER, date(2026, 9, 12), current=False)]
    clock.now += 60
    assert (own_copy.edition(), own_copy.find(CNPJ)) == (None, None)


def test_a_new_month_answers_within_a_minute_and_the_former_one_again_after_a_rollback(
    place: Destination, own_copy: RegisterSnapshot, tmp_path: Path, clock: Clock
) -> None:
    def answered() -> str:
        clock.now += 60
        found = own_copy.find(CNPJ)
        assert found is not None
        edition = own_copy.edition()
        assert edition == found.edition
        return f"{found.establishment_row} {found.company_row} {found.edition.day}"

    put(place, tmp_path, AUGUST, {CNPJ: "old", ROOT: "OLD"})
    assert answered() == f"old OLD {AUGUST}"
    put(place, tmp_path, SEPTEMBER, {CNPJ: "new", ROOT: "NEW"})
    assert answered() == f"new NEW {SEPTEMBER}"
    assert [(month.name, month.current) for month in place.snapshots()] == [
        (SEPTEMBER, True),
        (AUGUST, False),
    ]
    place.switch(AUGUST)
    assert answered() == f"old OLD {AUGUST}"
    assert [(month.name, month.current) for month in place.snapshots()] == [
        (SEPTEMBER, False),
        (AUGUST, True),
    ]
    place.remove(SEPTEMBER)
    place.remove(SEPTEMBER)
    assert [month.name for month in place.snapshots()] == [AUGUST]
    assert answered() == f"old OLD {AUGUST}"


def test_the_current_month_is_not_removed_and_a_missing_one_not_made_current(
    place: Destination, own_copy: RegisterSnapshot, tmp_path: Path
) -> None:
    put(place, tmp_path, AUGUST, {CNPJ: "old"})
    with pytest.raises(SnapshotError):
        place.remove(AUGUST)
    with pytest.raises(SnapshotError):
        place.switch(SEPTEMBER)
    found = own_copy.find(CNPJ)
    assert found.establishment_row == "old"


def test_look_ups_succeed_while_months_are_switched(shelf: Shelf, tmp_path: Path) -> None:
    """The clock makes each look-up read the current month again."""
    ticks = count(0, 60)
    own_copy = shelf.open(lambda: next(ticks))
    months = {name: f"{name} OF {name}" for name in (AUGUST, SEPTEMBER)}
    for name in months:
        put(shelf.place, tmp_path, name, {CNPJ: name, ROOT: f"OF {name}"})
    over = threading.Event()

    def look_up() -> set[str]:
        seen = set()
        while not over.is_set():
            found = own_copy.find(CNPJ)
            assert found.edition.day.isoformat() == found.establishment_row
            seen.add(f"{found.establishment_row} {found.company_row}")
        return seen

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(look_up) for _ in range(4)]
        for name in list(months) * 5:
            shelf.place.switch(name)
        over.set()
    assert set.union(*(reader.result() for reader in readers)) <= set(months.values())


def test_a_month_whose_file_is_not_one_changes_nothing(
    place: Destination, own_copy: RegisterSnapshot, tmp_path: Path
) -> None:
    put(place, tmp_path, AUGUST, {CNPJ: "old"})
    spoilt = tmp_path / "spoilt.db"
    spoilt.write_bytes(b"no database" * 1000)
    with pytest.raises(SnapshotError):
        place.add(spoilt, SEPTEMBER, quiet)
    assert [(month.name, month.current) for month in place.snapshots()] == [(AUGUST, True)]
    assert own_copy.find(CNPJ) is not None
