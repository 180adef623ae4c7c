from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts import calendar as month
from tests.for_each import for_each


def at(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


@for_each(
    ("instant", "name"),
    [
        ("2026-12-01T02:59:59+00:00", "2026-11"),  # 23:59:59 of 30 November in São Paulo
        ("2026-12-01T03:00:00+00:00", "2026-12"),
        ("2027-01-01T02:59:59.999+00:00", "2026-12"),
        ("2027-01-01T03:00:00+00:00", "2027-01"),
        ("2028-02-29T12:00:00+00:00", "2028-02"),
        ("2018-12-01T01:59:59+00:00", "2018-11"),  # summer time was UTC-2
        ("2018-12-01T02:00:00+00:00", "2018-12"),
    ],
)
def test_the_month_turns_at_midnight_in_sao_paulo(instant: str, name: str) -> None:
    assert month.month_name(at(instant)) == name


@given(st.integers(at("2020-01-01T00:00:00+00:00"), at("2060-01-01T00:00:00+00:00")))
def test_every_instant_lies_before_the_end_of_its_month(now: int) -> None:
    end = month.hour(now).month_ends
    assert now < end.timestamp() <= now + 31 * 86_400
    assert month.month_name(end.timestamp()) == month.shift_month(month.month_name(now), 1)
    assert month.month_name(end.timestamp() - 1) == month.month_name(now)


@given(st.integers(at("2020-01-01T00:00:00+00:00"), at("2060-01-01T00:00:00+00:00")))
def test_every_instant_lies_before_the_end_of_its_day(now: int) -> None:
    end = month.hour(now).day_ends
    assert now < end.timestamp() <= now + 86_400
    assert month.day_name(end.timestamp() - 1) == month.day_name(now)
    assert month.day_name(end.timestamp()) != month.day_name(now)


def test_the_end_of_a_month_carries_its_offset() -> None:
    assert (
        month.hour(datetime(2026, 12, 31, 12, tzinfo=UTC).timestamp()).month_ends.isoformat()
        == "2027-01-01T00:00:00-03:00"
    )
