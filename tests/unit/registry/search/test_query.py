"""The words that a search asks for."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.query import clauses_of

YEARS = ("1998", "1999", "2000", "2024", "2025")
DAYS = st.dates(date(1997, 1, 1), date(2026, 12, 31))


@given(DAYS, DAYS, DAYS)
def test_a_day_is_in_a_range_as_its_year_month_or_day_is(first: date, last: date, day: date) -> None:
    (clause,) = clauses_of(Criteria(opened_from=first, opened_to=last), YEARS)
    words = {word for (word,) in clause}
    known = f"{day.year}" in YEARS
    own = {f"d_{day:%Y%m%d}"[:length] for length in (5, 6, 8, 10)} if known else set()
    assert bool(own & words) == (known and first <= day <= last)
    assert len(own & words) <= 1


@given(DAYS, st.integers(0, 12_000))
def test_a_range_needs_few_words(first: date, days: int) -> None:
    (clause,) = clauses_of(Criteria(opened_from=first, opened_to=first + timedelta(days)), YEARS)
    assert len(clause) <= len(YEARS) + 2 * (11 + 30)


def test_whole_decades_are_one_word_each() -> None:
    years = [f"{year}" for year in range(1966, 2027)]
    (clause,) = clauses_of(Criteria(opened_from=date(1988, 12, 31), opened_to=date(2021, 2, 1)), years)
    assert [word for (word,) in clause] == [
        *("d_19881231", "d_1989", "d_199", "d_200", "d_201", "d_2020", "d_202101", "d_20210201"),
    ]


def test_the_first_and_the_last_year_that_a_date_can_have() -> None:
    (clause,) = clauses_of(Criteria(opened_from=date.min), ("0001", "9999"))
    assert clause == [("d_000",), ("d_999",)]
    (clause,) = clauses_of(Criteria(opened_to=date(9999, 12, 30)), ("9999",))
    assert ("d_99991230",) in clause
    assert ("d_99991231",) not in clause


def test_names_of_letters_that_are_beginnings_and_of_those_that_are_not() -> None:
    criteria = Criteria(names=(("SA",), ("BAR", "PADA", "PADAR"), ()), states=("SP", "RJ"), statuses=("02",))
    assert clauses_of(criteria, ()) == [
        [("SA",), ("BAR_", "PADA_", "PADAR*")],
        [("v_SP02",), ("v_RJ02",)],
    ]


def test_a_name_without_words_fits_nothing_and_a_search_without_fields_everything() -> None:
    assert clauses_of(Criteria(names=((),)), ()) == [[]]
    assert clauses_of(Criteria(roots=("12345678",)), ()) == [[("i_S",), ("i_N",)]]
