"""The words that a search asks for."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.query import Clause, query_of
from tests.for_each import for_each

YEARS = ("1998", "1999", "2000", "2024", "2025")
KNOWN = [f"_D{year}" for year in YEARS]
ALL = [("_OSS",), ("_OSN",), ("_ONS",), ("_ONN",)]
DAYS = st.dates(date(1997, 1, 1), date(2026, 12, 31))
STATES = ["_S02", "_S08", "_U", "_UMG", "_URJ", "_USP"]


def is_found(day: date | None, criteria: Criteria) -> bool:
    """Return whether a company that was opened on a day has the words of a search."""
    own = {f"_D{day:%Y%m%d}"[:length] for length in (5, 6, 8, 10)} if day else {"_D"}
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
    years = [f"_D{year}" for year in range(1966, 2027)]
    query = query_of(Criteria(opened_from=date(1992, 11, 30), opened_to=date(2021, 11, 30)), years)
    assert query.excluded == [
        *("_D", "_D196", "_D197", "_D198", "_D1990", "_D1991"),
        *(f"_D1992{month:02}" for month in range(1, 11)),
        *(f"_D199211{day:02}" for day in range(1, 30)),
        *("_D202112", "_D2022", "_D2023", "_D2024", "_D2025", "_D2026"),
    ]


def test_eight_digits_are_also_a_root_as_names_have_it() -> None:
    (clause,) = query_of(Criteria(names=(("41330504", "ANA"),)), ()).clauses
    assert clause == [("41330504*", "ANA*"), ("41", "330", "504", "ANA*")]


def test_the_first_and_the_last_day_that_a_date_can_be() -> None:
    years = ("_D", "_D0001", "_D9999")
    assert query_of(Criteria(opened_from=date.min), years).excluded == ["_D"]
    assert query_of(Criteria(opened_to=date.max), years).excluded == ["_D"]
    assert query_of(Criteria(opened_from=date(2, 1, 1)), years).excluded == ["_D", "_D0001"]
    (clause,) = query_of(Criteria(opened_from=date(9999, 12, 31)), years).clauses
    assert clause == [("_D99991231",)]


def test_names_of_letters_that_are_beginnings_and_of_those_that_are_not() -> None:
    criteria = Criteria(names=(("SA",), ("BAR", "PADA", "PADAR"), ()), states=("SP", "RJ"), statuses=("02",))
    assert query_of(criteria, STATES).clauses == [
        [("SA",), ("BAR*", "PADA_", "PADAR*")],
        [("_VSP02",), ("_VRJ02",)],
    ]


def test_a_municipality_and_a_status_are_one_word() -> None:
    criteria = Criteria(cities=("7107", "0139AC"), statuses=("02",), states=("SP",))
    assert query_of(criteria, STATES).clauses == [[("_B710702",), ("_B013902", "_UAC")], [("_USP",)]]
    most = Criteria(cities=("7107",), statuses=("02", "08"))
    assert query_of(most, [*STATES, "_S03"]) == ([[("_C7107",)]], ["_S03"])


def test_a_name_without_words_fits_nothing_and_a_search_without_fields_everything() -> None:
    assert query_of(Criteria(names=((),)), ()).clauses == [[]]
    assert query_of(Criteria(roots=("12345678",)), ()).clauses == [ALL]


@for_each(
    ("criteria", "clauses", "excluded"),
    [
        (Criteria(states=("SP", "RJ", "MG")), [ALL], ["_U"]),
        (Criteria(states=("SP", "RJ", "MG"), statuses=("02",)), [[("_S02",)]], ["_U"]),
        (Criteria(statuses=("98", "99", "02")), [ALL], ["_S08"]),
        (Criteria(statuses=("99",)), [[("_S99",)]], []),
        (Criteria(head_office=True), [ALL], ["_H2", "_H"]),
        (Criteria(head_office=False), [[("_H2",)]], []),
        (Criteria(mei=True), [[("_OSS",), ("_ONS",)]], []),
        (Criteria(mei=False), [ALL], ["_OSS", "_ONS"]),
        (Criteria(mei=False, simples=True), [[("_OSN",)]], []),
        (Criteria(mei=False, simples=False), [ALL], ["_OSS", "_OSN", "_ONS"]),
        (Criteria(activities=("4721102",)), [[("_M4721102",), ("_A4721102",)]], []),
    ],
)
def test_where_most_fit_the_others_are_excluded(
    criteria: Criteria, clauses: list[Clause], excluded: list[str]
) -> None:
    assert query_of(criteria, STATES) == (clauses, excluded)
