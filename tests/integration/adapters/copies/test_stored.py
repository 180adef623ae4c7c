"""Months in a store that are removed, unreadable or incomplete."""

from __future__ import annotations

from pathlib import Path

import pytest

from brskills_server.registry.store import StoreFault
from brskills_server.snapshot_builder.errors import SnapshotError
from tests.conftest import Clock
from tests.integration.adapters.copies.conftest import Shelf
from tests.integration.adapters.copies.months import CNPJ, ROOT, write_file
from tests.integration.adapters.copies.test_contract import AUGUST, SEPTEMBER, put, quiet


class Killed(Exception):
    """The builder was killed."""


def killed(_: int) -> None:
    raise Killed


def test_a_month_that_goes_while_it_is_known_is_followed_at_once(
    stored: Shelf, tmp_path: Path, clock: Clock
) -> None:
    own_copy = stored.open(clock)
    put(stored.place, tmp_path, AUGUST, {CNPJ: "old", ROOT: "OLD"})
    assert own_copy.find(CNPJ)
    put(stored.place, tmp_path, SEPTEMBER, {CNPJ: "new", ROOT: "NEW"})
    stored.place.remove(AUGUST)
    found = own_copy.find(CNPJ)  # at the same second
    assert (found.establishment_row, found.company_row, found.edition.day.isoformat()) == (
        "new",
        "NEW",
        SEPTEMBER,
    )


def test_a_killed_build_leaves_no_month_and_may_be_repeated(
    stored: Shelf, tmp_path: Path, clock: Clock
) -> None:
    own_copy = stored.open(clock)
    put(stored.place, tmp_path, AUGUST, {CNPJ: "old"})
    file = write_file(tmp_path / "month.db", {CNPJ: "new", ROOT: "NEW"})
    for _ in range(2):
        with pytest.raises(Killed):
            stored.place.add(file, SEPTEMBER, killed)
        assert [month.name for month in stored.place.snapshots()] == [AUGUST]
        with pytest.raises(SnapshotError):
            stored.place.switch(SEPTEMBER)
        assert own_copy.find(CNPJ)
    stored.place.add(file, SEPTEMBER, quiet)
    stored.place.add(file, SEPTEMBER, quiet)  # once more is no harm either
    stored.place.switch(SEPTEMBER)
    clock.now += 60
    found = own_copy.find(CNPJ)
    assert found.establishment_row == "new"


@pytest.mark.parametrize("written_as", ["1", "9"])
def test_a_month_of_another_format_is_a_fault_and_the_known_one_is_read(
    stored: Shelf, tmp_path: Path, clock: Clock, written_as: str
) -> None:
    own_copy = stored.open(clock)
    put(stored.place, tmp_path, AUGUST, {CNPJ: "old"})
    assert own_copy.find(CNPJ)
    file = write_file(tmp_path / "month.db", {CNPJ: "?"}, written_as=written_as)
    stored.place.add(file, SEPTEMBER, quiet)
    stored.place.switch(SEPTEMBER)
    clock.now += 60
    found = own_copy.find(CNPJ)
    assert found.establishment_row == "old"
    new = stored.open(clock)
    for ask in (lambda: new.find(CNPJ), new.edition):
        with pytest.raises(StoreFault, match=f"format '{written_as}', where this release reads 2: build"):
            ask()


@pytest.mark.parametrize("name", ["", "2026 09", "a;drop", "x" * 41, "2026-09-", "Á"])
def test_a_name_that_no_table_can_have(stored: Shelf, tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a month's name"):
        stored.place.add(write_file(tmp_path / "month.db", {CNPJ: "x"}), name, quiet)
