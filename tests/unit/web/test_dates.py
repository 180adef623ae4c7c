"""Days and waits in the words of people."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.account import DEMO
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.quota import Quota
from brskills_server.web.dates import day_in_words, month_in_words, wait_in_words
from brskills_server.web.problems import content_of, problem_of
from tests.for_each import for_each

NOW = 1_795_000_000  # 2026-11-18


def detail(error: Exception, language: str) -> str:
    problem = problem_of(error)
    assert problem
    return str(content_of(problem, "", language)["detail"])


@pytest.mark.parametrize(
    ("day", "pt", "en"),
    [
        (date(2026, 12, 1), "1º de dezembro de 2026", "1 December 2026"),
        (date(2027, 3, 21), "21 de março de 2027", "21 March 2027"),
    ],
)
def test_a_day(day: date, pt: str, en: str) -> None:
    assert (day_in_words(day, "pt"), day_in_words(day, "en")) == (pt, en)
    assert pt.endswith(month_in_words(f"{day:%Y-%m}", "pt"))
    assert en.endswith(month_in_words(f"{day:%Y-%m}", "en"))


@given(st.integers(1, 3_000_000), st.sampled_from(["pt", "en"]))
def test_a_wait_is_never_too_short_nor_twice_as_long(seconds: int, language: str) -> None:
    count, unit = wait_in_words(seconds, language).split()
    lengths = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
    shown = int(count) * lengths[unit[0]]
    assert seconds <= shown < 2 * seconds + 1
    assert unit.endswith("s") is (int(count) != 1)


@for_each(
    ("plan", "calls"), [("free", 1), ("pro", 5), (DEMO, 1), (DEMO, 5)]
)  # fmt: skip
def test_a_spent_month_says_when_in_words(plan: str, calls: int) -> None:
    refused = QuotaExceeded(Quota(plan, "2026-11", 98, 100, NOW), calls)
    for language, month, day in (
        ("pt", "novembro de 2026", "1º de dezembro de 2026"),
        ("en", "November 2026", "1 December 2026"),
    ):
        shown = detail(refused, language)
        assert month in shown
        assert day in shown
        assert "2026-1" not in shown
        assert "T00:00" not in shown
