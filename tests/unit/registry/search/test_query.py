"""The words that a search asks for."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.query import Clause, query_of

YEARS = ("1998", "1999", "2000", "2024", "2025")
KNOWN = [f"d_{year}" for year in YEARS]
ALL = [("o_SS",), ("o_SN",), ("o_NS",), ("o_NN",)]
DAYS = st.dates(date(1997, 1, 1), date(2026, 12, 31))
STATES = ["s_02", "s_08", "u_", "u_MG", "u_RJ", "u_SP"]


def is_found(day: date | None, criteria: Criteria) -> bool:
    """Return whether a company that was opened on a day has the words of a search."""
    own = {f"d_{day:%Y%m%d}"[:length] for length in (5, 6, 8, 10)} if day else {"d_"}
    query = query_of(criteria, KNOWN)
    dated = [{word for (word,) in clause} for clause in query.clauses if clause != ALL]
    assert len(dated) + bool(query.excluded) == 1
    return all(own & words for words in dated) and own.isdisjoint(query.excluded)


@given(DAYS, st.integers(0, 12_000), DAYS.filter(lambda day: f"{day.year}" in YEARS))
def test_a_day_is_found_in_the_ranges_that_have_it(first: date, days: int, day: date) -> None:
    last = first + timedelta(days)
    assert is_found(day, Criteria(opened_from=first, opened_to=last)) == (first <= day <= last)
    assert is_found(day, Criteria(opened_from=first)) == (first <= day)
    assert is_found(day, Criteria(opened_to=last)) == (day <= last)


@given(DAYS, st.integers(0, 12_000))
def test_an_unknown_day_is_in_no_range(first: date, days: int) -> None:
    assert not is_found(None, Criteria(opened_from=first, opened_to=first + timedelta(days)))
    assert not is_found(None, Criteria(opened_to=first))


def test_whole_decades_are_one_word_each() -> None:
    years = [f"d_{year}" for year in range(1966, 2027)]
    query = query_of(Criteria(opened_from=date(1992, 11, 30), opened_to=date(2021, 11, 30)), years)
    assert query.excluded == [
        *("d_", "d_196", "d_197", "d_198", "d_1990", "d_1991"),
        *(f"d_1992{month:02}" for month in range(1, 11)),
        *(f"d_199211{day:02}" for day in range(1, 30)),
        *("d_202112", "d_2022", "d_2023", "d_2024", "d_2025", "d_2026"),
    ]


def test_the_first_and_the_last_day_that_a_date_can_be() -> None:
    years = ("d_", "d_0001", "d_9999")
    assert query_of(Criteria(opened_from=date.min), years).excluded == ["d_"]
    assert query_of(Criteria(opened_to=date.max), years).excluded == ["d_"]
    assert query_of(Criteria(opened_from=date(2, 1, 1)), years).excluded == ["d_", "d_0001"]
    (clause,) = query_of(Criteria(opened_from=date(9999, 12, 31)), years).clauses
    assert clause == [("d_99991231",)]


def test_names_of_letters_that_are_beginnings_and_of_those_that_are_not() -> None:
    criteria = Criteria(names=(("SA",), ("BAR", "PADA", "PADAR"), ()), states=("SP", "RJ"), statuses=("02",))
    assert query_of(criteria, STATES).clauses == [
        [("SA",), ("BAR_", "PADA_", "PADAR*")],
        [("v_SP02",), ("v_RJ02",)],
    ]


def test_a_name_without_words_fits_nothing_and_a_search_without_fields_everything() -> None:
    assert query_of(Criteria(names=((),)), ()).clauses == [[]]
    assert query_of(Criteria(roots=("12345678",)), ()).clauses == [ALL]


@pytest.mark.parametrize(
    ("criteria", "clauses", "excluded"),
    [
        (Criteria(states=("SP", "RJ", "MG")), [ALL], ["u_"]),
        (Criteria(states=("SP", "RJ", "MG"), statuses=("02",)), [[("s_02",)]], ["u_"]),
        (Criteria(statuses=("98", "99", "02")), [ALL], ["s_08"]),
        (Criteria(statuses=("99",)), [[("s_99",)]], []),
        (Criteria(head_office=True), [ALL], ["h_2", "h_"]),
        (Criteria(head_office=False), [[("h_2",)]], []),
        (Criteria(mei=True), [[("o_SS",), ("o_NS",)]], []),
        (Criteria(mei=False), [ALL], ["o_SS", "o_NS"]),
        (Criteria(mei=False, simples=True), [[("o_SN",)]], []),
        (Criteria(mei=False, simples=False), [ALL], ["o_SS", "o_SN", "o_NS"]),
        (Criteria(activities=("4721102",)), [[("m_4721102",), ("a_4721102",)]], []),
    ],
)
def test_where_most_fit_the_others_are_excluded(
    criteria: Criteria, clauses: list[Clause], excluded: list[str]
) -> None:
    assert query_of(criteria, STATES) == (clauses, excluded)
