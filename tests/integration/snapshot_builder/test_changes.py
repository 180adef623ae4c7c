"""What the report says of the month before, beside what the generator has changed."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from tests.integration.snapshot_builder.building import DAY, NEXT_DAY, current_file, make_copy, publish
from tests.register.chance import Chance
from tests.register.company import companies
from tests.register.defects import ALL
from tests.register.files import Month
from tests.register.model import Branch, Company
from tests.register.next_month import CHANGES
from tests.register.truth import record

BRANCH = {
    "state": "status", "state_date": "status_date", "reason": "status_reason", "opened": "opened",
    "street": "street", "street_number": "number", "district": "district", "phone_1": "phone_1",
    "email": "email",
}  # fmt: skip


def of_branch(branch: Branch) -> dict[str, str]:
    """The fields that the generator ever changes."""
    area = branch.area_1 if branch.phone_1 else ""
    return {field: getattr(branch, attribute) for attribute, field in BRANCH.items()} | {"area_1": area}


def of_company(company: Company) -> dict[str, object]:
    found = record(company, company.branches[0], DAY)
    options = {
        f"{name}{field}": (found[name] or {}).get(key)
        for name in ("simples", "mei")
        for field, key in (("", "optante"), ("_since", "data_opcao"), ("_until", "data_exclusao"))
    }
    return options | {"name": company.name, "capital": company.capital, "partners": found["socios"]}


def counted_changes(before: dict[str, dict], after: dict[str, dict]) -> dict[str, object]:
    """By key: fields, or nothing where the row could not be read."""
    counts: Counter[str] = Counter(
        new=len(after.keys() - before.keys()), gone=len(before.keys() - after.keys())
    )
    fields: Counter[str] = Counter()
    for key in before.keys() & after.keys():
        old, new = before[key], after[key]
        if old and new:
            changed = [name for name in old if old[name] != new[name]]
            counts["changed"] += bool(changed)
            fields.update(changed)
        elif old or new:
            counts["readable" if new else "unreadable"] += 1
    fates = ("new", "gone", "changed", "unreadable", "readable")
    return {fate: counts[fate] for fate in fates} | {"fields": dict(fields)}


def report_of(folder: Path) -> dict:
    return json.loads((current_file(folder).parent / "report.json").read_text(encoding="ascii"))


@pytest.fixture(scope="module")
def changed(tmp_path_factory) -> tuple[Month, Month, Path]:
    """Each change some times, companies gone and new, and a row that cannot be read in either month."""
    folder, chance = tmp_path_factory.mktemp("changes"), Chance(3)
    registered = list(companies(19, 90))
    later = [CHANGES[n % len(CHANGES)](company, chance) for n, company in enumerate(registered)]
    cut_off = ALL["cut_off:Estabelecimentos"]
    first = publish(folder / "1", registered[:80], DAY, {registered[40].root: cut_off})
    second = publish(folder / "2", later[10:], NEXT_DAY, {later[50].root: cut_off, later[51].root: cut_off})
    for month in (first, second):
        code, said = make_copy(folder / "copy", "build", month.folder)
        assert code == 0, said
    return first, second, folder / "copy"


def branches_of(month: Month) -> dict[str, dict]:
    return {
        company.root + branch.order + branch.digits: {} if number in case.lost else of_branch(branch)
        for case in month.cases
        for company in [case.company]
        for branch in company.branches
        for number in [company.root + branch.order + branch.digits]
    }


def companies_of(month: Month) -> dict[str, dict]:
    """A company is in the copy where one of its establishments is."""
    return {case.company.root: of_company(case.company) for case in month.cases if case.found()}


def test_the_report_says_what_has_changed(changed):
    first, second, folder = changed
    report = report_of(folder)["changes"]
    assert report["since"] == DAY.isoformat()
    assert report["establishments"] == counted_changes(branches_of(first), branches_of(second))
    assert report["companies"] == counted_changes(companies_of(first), companies_of(second))
    assert all(
        report["establishments"][fate] for fate in ("new", "gone", "changed", "unreadable", "readable")
    )


def test_the_same_rows_in_other_files_have_not_changed(changed, tmp_path):
    _, second, folder = changed
    cut_off = {case.company.root: ALL["cut_off:Estabelecimentos"] for case in second.cases if case.lost}
    other = publish(tmp_path / "in", [case.company for case in second.cases], date(2026, 11, 7), cut_off)
    code, said = make_copy(folder, "build", other.folder)
    assert code == 0, said
    nothing = dict.fromkeys(("new", "gone", "changed", "unreadable", "readable"), 0) | {"fields": {}}
    report = report_of(folder)["changes"]
    assert (report["companies"], report["establishments"]) == (nothing, nothing)


def test_the_first_month_has_no_changes(changed, tmp_path):
    code, said = make_copy(tmp_path / "copy", "build", changed[0].folder)
    assert code == 0, said
    assert report_of(tmp_path / "copy")["changes"] is None
