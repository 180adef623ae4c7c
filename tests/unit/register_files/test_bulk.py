"""Months of many companies: what is counted is what is written, and what changes in a month is known."""

import json
import zipfile
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.register.__main__ import main
from tests.register.bulk import Counts, Order, published, write_millions
from tests.register.company import FIRST
from tests.register.layout import members, zips_of
from tests.register.rows import KINDS
from tests.register.truth import records

DAY, NEXT = date(2026, 9, 12), date(2026, 10, 10)
COUNT = 5_000


@pytest.fixture(scope="module")
def order(tmp_path_factory: pytest.TempPathFactory) -> Order:
    return Order(tmp_path_factory.mktemp("month") / "first", DAY, COUNT, seed=5, defects=0.02, batch=1_500)


@pytest.fixture(scope="module")
def counts(order: Order) -> Counts:
    return write_millions(order)


def lines(folder: Path, name: str) -> list[str]:
    with zipfile.ZipFile(folder / name) as file:
        assert file.testzip() is None
        (member,) = file.namelist()
        return file.read(member).decode("iso-8859-1").split("\n")


def test_the_files_hold_what_the_companies_publish(order: Order, counts: Counts) -> None:
    assert sorted(path.name for path in order.folder.iterdir()) == sorted(members(DAY))
    cases = [published(order, number) for number in order.numbers]
    assert counts["written", "companies"] == len(cases) == COUNT
    for kind in KINDS:
        expected = Counter(
            part
            for case in cases
            if case
            for k, text in case.lines
            if k == kind
            for part in text.split("\n")
            if part
        )
        written = Counter(part for name in zips_of(kind) for part in lines(order.folder, name) if part)
        assert written == expected
        rows = sum(k == kind and bool(text) for case in cases if case for k, text in case.lines)
        assert counts["rows", kind] == rows


def test_fates_are_counted(order: Order, counts: Counts) -> None:
    cases = [case for number in order.numbers if (case := published(order, number))]
    assert counts["written", "lost"] == sum(len(case.lost) for case in cases) > 0
    assert counts["written", "establishments"] == sum(len(case.company.branches) for case in cases)
    for kind in KINDS:
        for fate in ("rejected", "duplicate", "orphan", "conflict"):
            assert counts[fate, kind] == sum(case.counts[kind, fate] for case in cases)


def test_the_same_order_gives_the_same_bytes_whatever_the_processes(
    order: Order, counts: Counts, tmp_path: Path
) -> None:
    assert write_millions(replace(order, folder=tmp_path), processes=1) == counts
    for name in members(DAY):
        assert (tmp_path / name).read_bytes() == (order.folder / name).read_bytes()


def test_what_has_changed_in_the_following_month_is_known(order: Order, tmp_path: Path) -> None:
    later = replace(order, folder=tmp_path, following=NEXT)
    told = write_millions(later)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(members(NEXT))
    before, after = found(order, later.numbers[:COUNT]), found(later, later.numbers)
    shared = before.keys() & after.keys()
    assert told["changes", "new"] == len(after.keys() - before.keys()) >= COUNT * 0.005
    assert told["changes", "gone"] == len(before.keys() - after.keys()) > 0
    changed = [{name for name in before[n] if before[n][name] != after[n][name]} for n in shared]
    assert told["changes", "changed"] == sum(map(bool, changed)) > COUNT * 0.01
    fields = Counter(name for names in changed for name in names)
    assert {name: number for (group, name), number in told.items() if group == "fields"} == fields
    assert len(fields) >= 8


def found(order: Order, numbers: range) -> dict[str, dict[str, object]]:
    """The records that a month must give, as if of one day."""
    cases = [case for number in numbers if (case := published(order, number))]
    return {n: one for case in cases for n, one in records(case.company, DAY).items() if n in case.found()}


def test_the_command_line_tells_what_it_has_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "--out",
        str(tmp_path),
        "--establishments",
        "1000",
        "--day",
        "2026-09-12",
        "--next",
        "2026-10-10",
    ]
    monkeypatch.setattr("sys.argv", ["register", *arguments])
    main()
    told = json.loads(capsys.readouterr().out)
    assert (
        told["written"]["establishments"] == told["rows"]["Estabelecimentos"] == pytest.approx(1_000, rel=0.1)
    )
    assert told["changes"].keys() >= {"new", "changed"}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(members(NEXT))


def test_numbers_begin_where_they_are_dense(order: Order) -> None:
    assert order.numbers[0] == FIRST
    assert len(order.numbers) == COUNT
