"""The report's changes since the previous month, compared with those that the generator has made."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from brskills_server.registry.snapshot.rows import ESTABLISHMENT_FIELDS, FIELD_SEPARATOR
from brskills_server.snapshot_builder.changes import PreviousSnapshot
from brskills_server.snapshot_builder.errors import SnapshotError
from tests.integration.snapshot_builder.building import (
    DAY,
    LATER_DAY,
    NEXT_DAY,
    build,
    damage,
    publish,
    report_of,
)
from tests.register.chance import Chance
from tests.register.company import companies
from tests.register.copy_file import write_copy
from tests.register.defects import ALL
from tests.register.files import Month
from tests.register.model import Branch, Company
from tests.register.next_month import CHANGES
from tests.register.truth import record

BRANCH = {
    "state": "status", "state_date": "status_date", "reason": "status_reason", "opened": "opened",
    "street": "street", "street_number": "number", "district": "district", "phone_1": "phone_1",
    "email": "email", "trade_name": "trade_name", "activity": "activity",
    "other_activities": "other_activities",
}  # fmt: skip
CHANGE_KINDS = ("new", "gone", "changed", "unreadable", "readable")


def of_branch(branch: Branch) -> dict[str, str]:
    """Return the fields that the generator changes."""
    area = branch.area_1 if branch.phone_1 else ""
    return {field: getattr(branch, attribute) for attribute, field in BRANCH.items()} | {"area_1": area}


def of_company(company: Company) -> dict[str, object]:
    found = record(company, company.branches[0], DAY)
    options = {
        f"{name}{field}": (found[name] or {}).get(key)
        for name in ("simples", "mei")
        for field, key in (("", "optante"), ("_since", "data_opcao"), ("_until", "data_exclusao"))
    }
    facts = {"name": company.name, "capital": company.capital, "nature": company.nature, "size": company.size}
    return options | facts | {"partners": found["socios"]}


def branches_of(month: Month) -> dict[str, dict]:
    """Return fields by number, none for an unreadable row."""
    return {
        number: {} if number in case.lost else of_branch(branch)
        for case in month.cases
        for number, branch in zip(case.company.numbers(), case.company.branches, strict=True)
    }


def companies_of(month: Month) -> dict[str, dict]:
    """Return fields by root. A snapshot has a company if it has one of its establishments."""
    return {case.company.root: of_company(case.company) for case in month.cases if case.found()}


def counted_changes(before: dict[str, dict], after: dict[str, dict]) -> dict[str, object]:
    counts = Counter(new=len(after.keys() - before.keys()), gone=len(before.keys() - after.keys()))
    fields: Counter[str] = Counter()
    for key in before.keys() & after.keys():
        old, new = before[key], after[key]
        if old and new:
            changed = [name for name in old if old[name] != new[name]]
            counts["changed"] += bool(changed)
            fields.update(changed)
        elif old or new:
            counts["readable" if new else "unreadable"] += 1
    return {kind: counts[kind] for kind in CHANGE_KINDS} | {"fields": dict(fields)}


def counted_losses(before: dict[str, dict], after: dict[str, dict]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for key in before.keys() & after.keys():
        old, new = before[key], after[key]
        counts["partners"] += bool(old["partners"] and not new["partners"])
        counts.update(name for name in ("simples", "mei") if old[name] and not new[name])
    return dict(+counts)


def test_changes_are_reported(tmp_path):
    """Each change some times, companies gone and new, and rows that are unreadable in either month.

    A third month has the rows of the second in other files.
    """
    chance, registered = Chance(3), list(companies(19, 90))
    later = [CHANGES[n % len(CHANGES)](company, chance) for n, company in enumerate(registered)]
    cut_off = ALL["cut_off:Estabelecimentos"]
    unreadable = {later[50].root: cut_off, later[51].root: cut_off}
    first = publish(tmp_path / "1", registered[:80], DAY, {registered[40].root: cut_off})
    second = publish(tmp_path / "2", later[10:], NEXT_DAY, unreadable)
    same = publish(tmp_path / "3", later[:9:-1], LATER_DAY, unreadable)
    one, two, three = (
        report_of(build(tmp_path / "copy", month.folder))["changes"] for month in (first, second, same)
    )
    assert one is None
    assert two["since"] == DAY.isoformat()
    assert two["establishments"] == counted_changes(branches_of(first), branches_of(second))
    lost = two["companies"].pop("lost")
    assert two["companies"] == counted_changes(companies_of(first), companies_of(second))
    assert lost == counted_losses(companies_of(first), companies_of(second))
    assert all(two["establishments"][kind] for kind in CHANGE_KINDS)
    nothing = dict.fromkeys(CHANGE_KINDS, 0) | {"fields": {}}
    assert (three["companies"], three["establishments"]) == (nothing | {"lost": {}}, nothing)


def change_rows(body: str) -> Callable[[Path], None]:
    """Return a function that changes the bodies of a file's rows to the value of an SQL expression."""

    def change(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(f"UPDATE rows SET body = {body}")  # noqa: S608, a test's own expression

    return change


@pytest.mark.parametrize(
    ("name", "spoil", "expected", "reason"),
    [
        ("previous", damage, SnapshotError, "in place, previous, is damaged .* again with --anew"),
        ("previous", Path.unlink, SnapshotError, "in place, previous, is missing: build again"),
        ("previous", change_rows(f"body || '{FIELD_SEPARATOR}'"), SnapshotError, "another number of fields"),
        ("previous", change_rows("CAST(body AS BLOB)"), SnapshotError, "another number of fields"),
        ("previous", change_rows("CAST(X'4D41524941FF' AS TEXT)"), SnapshotError, "previous, is damaged"),
        ("new", damage, sqlite3.DatabaseError, "malformed"),
    ],
)
def test_the_file_that_is_damaged_is_named(tmp_path, name, spoil, expected, reason):
    """The build deletes its work folder for `sqlite3.Error`, which is raised for the new file alone."""
    files = {
        folder: write_copy(
            tmp_path,
            {f"{n:014}": FIELD_SEPARATOR.join([text] * len(ESTABLISHMENT_FIELDS)) for n in range(200)},
            DAY,
            folder,
        )
        for folder, text in (("previous", "old"), ("new", "newer"))
    }
    spoil(files[name])
    with (
        closing(sqlite3.connect(files["new"], uri=True)) as connection,
        pytest.raises(expected, match=reason) as raised,
    ):
        PreviousSnapshot(files["previous"], connection).log_changes("0", "~")
    assert "MARIA" not in str(raised.value)  # nothing of a row
