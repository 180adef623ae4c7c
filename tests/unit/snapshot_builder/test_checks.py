"""Limits of a month's rows, rejects and changes."""

from collections import Counter
from datetime import date

import pytest

from brskills_server.snapshot_builder.checks import (
    check_day,
    check_register,
    check_rejects,
    check_rows,
    check_sample,
)
from brskills_server.snapshot_builder.errors import SnapshotError

KINDS = ("Empresas", "Estabelecimentos", "Socios", "Simples")


def counts(rows: int, rejected: int = 0) -> dict[str, dict[str, int]]:
    return {kind: {"rows": rows, "rejected": rejected, "nameless": 0} for kind in KINDS}


def test_a_month_may_not_be_older():
    for day in (date(2026, 9, 12), date(2026, 10, 10)):
        check_day(day, date(2026, 9, 12))
        check_day(day, None)
    with pytest.raises(SnapshotError, match="2026-08-15"):
        check_day(date(2026, 8, 15), date(2026, 9, 12))


@pytest.mark.parametrize(("rows", "rejected"), [(100, 20), (1_000_000, 100)])
def test_one_row_in_ten_thousand_may_be_rejected_and_some_in_any_case(rows, rejected):
    check_rejects(counts(rows, rejected))
    with pytest.raises(SnapshotError) as raised:
        check_rejects(counts(rows, rejected + 1))
    assert str(raised.value).splitlines() == [
        f"{kind}: {rejected + 1:,} of {rows:,} rows cannot be read" for kind in KINDS
    ]


def test_a_month_has_companies():
    with pytest.raises(SnapshotError, match="Empresas: there are no rows"):
        check_rejects(counts(0))


@pytest.mark.parametrize(
    ("rows", "is_likely"), [(800_000, False), (910_000, True), (1_240_000, True), (1_300_000, False)]
)
def test_a_month_is_about_as_large_as_the_one_before(rows, is_likely):
    check_rows(counts(rows), {})
    if is_likely:
        check_rows(counts(rows), counts(1_000_000))
    else:
        with pytest.raises(SnapshotError, match="Socios: "):
            check_rows(counts(rows), counts(1_000_000))


def test_one_look_up_in_a_hundred_may_differ():
    check_sample(Counter(compared=300, different=3))
    with pytest.raises(SnapshotError, match=r"4 of 300 look-ups differ in the cross-check: email 4"):
        check_sample(Counter({"compared": 300, "different": 4, "different.email": 4}))
    with pytest.raises(SnapshotError, match="no company"):
        check_sample(Counter())


SOUND = {"establishments": 1_000_000, "orphans": 0, "repeated": 0, "contradicted": 0, "unreadable": 0}


def changes(gone: int) -> dict[str, dict[str, int]]:
    return {"establishments": {"gone": gone}}


@pytest.mark.parametrize("name", ["orphans", "repeated", "contradicted", "unreadable"])
def test_a_thousandth_may_be_odd(name: str) -> None:
    check_register(SOUND | {name: 1_100}, None)
    with pytest.raises(SnapshotError, match=r"^1,101 .* among 1,000,000 establishments$"):
        check_register(SOUND | {name: 1_101}, None)


def test_a_fiftieth_may_have_gone() -> None:
    check_register(SOUND, changes(20_000))
    with pytest.raises(SnapshotError, match=r"^30,000 establishments have gone"):
        check_register(SOUND, changes(30_000))


def test_of_few_all_may_be_odd() -> None:
    check_register(dict.fromkeys(SOUND, 100), changes(100))
