"""Rows of changes, and what steps say together."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.query import Query
from brskills_server.registry.registry import parse_cnpj
from brskills_server.registry.sandbox import (
    ABSENT,
    SANDBOX_DAY,
    SANDBOX_NUMBERS,
    UNAVAILABLE,
    sandbox_answer,
)
from brskills_server.registry.snapshot.changes import FIELDS, GONE, NEW, invert, read_changes, write_changes
from brskills_server.registry.snapshot.history import Step, StepRows, history_of, oldest_kept, steps_to
from brskills_server.registry.snapshot.rows import (
    COMPANY_FIELDS,
    ESTABLISHMENT_FIELDS,
    FIELD_SEPARATOR,
    ITEM_SEPARATOR,
    PART_SEPARATOR,
    Edition,
    SnapshotCompany,
    record_text,
)
from brskills_server.registry.snapshot.sandbox_history import sandbox_history
from brskills_server.skills.cnpj.history_models import CompanyHistory
from tests.register.history import changes

CNPJ = "12345678000195"
EDITION = Edition(date(2026, 10, 10))
SINCE = date(2026, 9, 12)
CODES = {
    "status": ("02", "04", "08"), "status_date": ("20200101", ""), "status_reason": ("00", "01", ""),
    "nature": ("2062", "2135"), "size": ("01", "03", ""), "capital": ("1.00", "2.00", ""),
    "activity": ("6201501", "4781400"),
    "other_activities": ("", "6201501", "6201501,4781400", "4781400,6201501"),
    "simples": ("S", "N", ""), "simples_since": ("20200101", ""), "simples_until": ("20261001", ""),
    "mei": ("S", "N", ""), "state": ("SP", "RJ"), "city": ("7107", "6001"), "country": ("", "105"),
    "opened": ("",), "special_date": ("",), "mei_since": ("",), "mei_until": ("",),
}  # fmt: skip
TEXTS = ("", "A", "B = C", "Ç")
PARTNERS = [
    PART_SEPARATOR.join([kind, name, document, role, *[""] * 5, band])
    for kind, name, document in (
        ("2", "ANA", "***111111**"),
        ("2", "BIA", ""),
        ("1", "CIA", "12345678000195"),
    )
    for role, band in (("22", "4"), ("49", "5"))
]


@st.composite
def rows(draw: st.DrawFn) -> dict[str, str]:
    """The fields of both rows of a company."""
    found = {}
    for name in (*ESTABLISHMENT_FIELDS, *COMPANY_FIELDS):
        found[name] = draw(st.sampled_from(CODES.get(name, ("",) if "_void" in name else TEXTS)))
    found["name"] = draw(st.sampled_from(["ACME", "ACME LTDA"]))
    chosen = draw(st.lists(st.sampled_from(PARTNERS), unique=True, max_size=4))
    found["partners"] = ITEM_SEPARATOR.join(sorted(chosen))
    return found


def part(fields: dict[str, str], names: tuple[str, ...]) -> dict[str, str]:
    return {name: fields[name] for name in names}


def step_rows(before: dict[str, str], after: dict[str, str], n: int, day: date) -> StepRows:
    company, establishment = (
        write_changes(part(before, names), part(after, names))
        for names in (COMPANY_FIELDS, ESTABLISHMENT_FIELDS)
    )
    return StepRows(Step(f"{n}", f"{n - 1}", SINCE, day), company, establishment)


def record(fields: dict[str, str]) -> dict[str, Any]:
    """The record, as ``record_text`` reads it from the rows."""
    bodies = (
        FIELD_SEPARATOR.join(part(fields, names).values()) for names in (ESTABLISHMENT_FIELDS, COMPANY_FIELDS)
    )
    found: dict[str, Any] = json.loads(record_text(SnapshotCompany(CNPJ, *bodies, EDITION)))
    return found


def said(steps: list[StepRows]) -> list[tuple[str, Any, Any]]:
    return [(one["campo"], one["de"], one["para"]) for one in history_of(CNPJ, EDITION, steps)["mudancas"]]


@given(rows(), rows())
def test_a_step_says_what_differs_between_the_records(before: dict[str, str], after: dict[str, str]) -> None:
    assert said([step_rows(before, after, 1, EDITION.day)]) == changes(record(before), record(after))


@given(rows(), rows())
def test_the_inverse_of_a_step_leads_back(before: dict[str, str], after: dict[str, str]) -> None:
    step = step_rows(before, after, 1, EDITION.day)
    back = step._replace(company=invert(step.company), establishment=invert(step.establishment))
    assert said([back]) == [(name, now, was) for name, was, now in said([step])]
    assert said([back, step]) == []
    assert (invert(back.company), invert(back.establishment)) == (step.company, step.establishment)


def test_the_inverse_of_new_is_gone() -> None:
    assert (invert(NEW), invert(GONE), invert("")) == (GONE, NEW, "")
    with pytest.raises(ValueError, match="another form"):
        invert("?")


@given(st.lists(rows(), min_size=2, max_size=5))
def test_steps_of_one_day_say_together_what_one_would(states: list[dict[str, str]]) -> None:
    steps = [step_rows(states[n - 1], states[n], n, EDITION.day) for n in range(len(states) - 1, 0, -1)]
    together, once = said(steps), changes(record(states[0]), record(states[-1]))
    assert [name for name, *_ in together] == [name for name, *_ in once]
    for (name, *found), (_, *expected) in zip(together, once, strict=True):
        if name == "socios":  # with the role that each had when they left or came
            assert [{one["nome"] for one in side} for side in found] == [
                {one["nome"] for one in side} for side in expected
            ]
        elif name != "cnaes_secundarios":  # whose order may have changed before
            assert found == expected


@given(st.lists(rows(), min_size=2, max_size=4))
def test_steps_of_several_days_are_said_one_by_one(states: list[dict[str, str]]) -> None:
    days = [date(2026, 9, n) for n in range(1, len(states))]
    steps = [step_rows(states[n - 1], states[n], n, days[n - 1]) for n in range(len(states) - 1, 0, -1)]
    expected = [
        change
        for n in range(len(states) - 1, 0, -1)
        for change in changes(record(states[n - 1]), record(states[n]))
    ]
    assert said(steps) == expected


@given(rows(), rows())
def test_a_row_is_read_as_it_was_written(before: dict[str, str], after: dict[str, str]) -> None:
    for names in (COMPANY_FIELDS, ESTABLISHMENT_FIELDS):
        row = write_changes(part(before, names), part(after, names))
        for change in read_changes(row) if row else ():
            if change.name != "socios":
                assert change.before == [before[name] for name in FIELDS[change.name]]
                assert change.after == [after[name] for name in FIELDS[change.name]]


def marks(*rows_: tuple[int, str, str]) -> list[StepRows]:
    """Steps, newest first, of (day of October, company's row, establishment's row)."""
    return [
        StepRows(Step(f"{n}", f"{n - 1}", SINCE, date(2026, 10, day)), company, body)
        for n, (day, company, body) in reversed([*enumerate(rows_, 1)])
    ]


NAME, OTHER_NAME = "rACME\x1cACME LTDA", "rACME LTDA\x1cACME"
REGISTERED = ("registro", None, "novo")
MISSING = ("registro", None, "ausente")


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (marks((10, NAME, NEW)), [REGISTERED]),
        (marks((10, NAME, GONE)), [MISSING]),
        (marks((10, "", NEW), (10, NAME, "")), [REGISTERED]),
        (marks((10, NAME, ""), (10, "", GONE)), [MISSING]),
        (marks((10, "", NEW), (10, "", GONE)), []),
        (marks((10, "", GONE), (10, NAME, NEW)), []),
        (marks((10, "", GONE), (11, "", NEW)), [REGISTERED, MISSING]),
        (marks((10, NAME, ""), (11, "", NEW)), [REGISTERED]),
        (marks((10, "", GONE), (11, NAME, "")), [MISSING]),
        (marks((10, NAME, ""), (11, "", GONE)), [MISSING, ("razao_social", "ACME", "ACME LTDA")]),
        (marks((10, NAME, ""), (10, OTHER_NAME, "")), []),
        (
            marks((10, NAME, ""), (11, OTHER_NAME, "")),
            [("razao_social", "ACME LTDA", "ACME"), ("razao_social", "ACME", "ACME LTDA")],
        ),
    ],
)
def test_who_comes_and_goes(steps: list[StepRows], expected: list[tuple[str, Any, Any]]) -> None:
    assert said(steps) == expected


def test_contacts_are_no_change() -> None:
    old = dict.fromkeys(ESTABLISHMENT_FIELDS, "")
    contacts = ("email", "area_1", "phone_1", "area_2", "phone_2", "fax_area", "fax")
    assert write_changes(old, old | dict.fromkeys(contacts, "1")) == ""


@pytest.mark.parametrize("row", ["x", "", "rA", "uA\x1cB", "r\x1cA\x1fB", "q1\x1c2"])
def test_a_damaged_row_is_an_error(row: str) -> None:
    steps = marks((10, row, ""))
    if row:
        with pytest.raises(ValueError):
            history_of(CNPJ, EDITION, steps)
    else:
        assert history_of(CNPJ, EDITION, steps)["mudancas"] == []


def test_the_way_back_ends_at_a_missing_step_and_in_a_circle() -> None:
    one, two = (Step(name, since, SINCE, SINCE) for name, since in (("1", "0"), ("2", "1")))
    assert steps_to({"1": one, "2": two}, "2") == [two, one]
    assert steps_to({"2": two}, "2") == [two]
    assert steps_to({"1": one._replace(since="2"), "2": two}, "2") == [two, one._replace(since="2")]
    assert steps_to({}, "2") == []


@pytest.mark.parametrize(
    ("day", "oldest"),
    [("2026-09-12", "2025-08-01"), ("2026-01-31", "2024-12-01"), ("2026-02-14", "2025-01-01")],
)
def test_thirteen_months_are_kept(day: str, oldest: str) -> None:
    assert oldest_kept(date.fromisoformat(day)).isoformat() == oldest


@pytest.mark.parametrize("cnpj", sorted(SANDBOX_NUMBERS - {ABSENT, UNAVAILABLE}))
def test_a_sandbox_companys_history_leads_to_its_record(cnpj: str) -> None:
    found = sandbox_history(parse_cnpj(cnpj))
    assert json.loads(CompanyHistory.model_validate(found).model_dump_json()) == found
    now = sandbox_answer(Query(cnpj), 1_795_000_000).content()
    assert found["data_base"] == now["data_base"]
    newest: dict[str, Any] = {}
    for change in found["mudancas"]:
        newest.setdefault(change["campo"], change["para"])
    for name, value in newest.items():
        known = now[name] if name != "socios" else [one for one in now[name] if one in value]
        assert known == value
    days = [change["data_base"] for change in found["mudancas"]]
    assert days == sorted(days, reverse=True)
    assert found["desde"] < days[-1]


def test_sandbox_numbers_without_an_answer() -> None:
    with pytest.raises(CompanyNotFound) as missing:
        sandbox_history(ABSENT)
    assert (missing.value.confirmed, missing.value.data_base) == (False, SANDBOX_DAY.isoformat())
    with pytest.raises(SourcesUnavailable) as away:
        sandbox_history(UNAVAILABLE)
    assert away.value.nothing_failed
