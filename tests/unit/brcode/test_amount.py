"""Amounts: exact, two decimals, never zero; each refusal has its own code and the right writing."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brcode import InvalidCharge, parse_amount


@pytest.mark.parametrize(
    ("given_amount", "written"),
    [
        ("49.90", "49.90"),
        ("49.9", "49.90"),
        ("49", "49.00"),
        (49, "49.00"),
        ("0.01", "0.01"),
        ("9999999999.99", "9999999999.99"),
        (9999999999, "9999999999.00"),
        ("0010.50", "10.50"),
        (Decimal("49.9"), "49.90"),
        (Decimal("0.1"), "0.10"),
        (Decimal("10.00"), "10.00"),
        (Decimal("1E+2"), "100.00"),
        (Decimal("1e-2"), "0.01"),
        (Decimal("1.5e1"), "15.00"),
    ],
)
def test_written(given_amount, written):
    assert parse_amount(given_amount) == written


@pytest.mark.parametrize(
    ("given_amount", "code", "right"),
    [
        ("1.234,56", "invalid_amount", "1234.56"),
        ("1,234.56", "invalid_amount", "1234.56"),
        (" 49,90", "invalid_amount", "49.90"),
        ("49,9", "invalid_amount", "49.90"),
        ("R$ 49,90", "invalid_amount", "49.90"),
        ("49.90 ", "invalid_amount", "49.90"),
        ("+5", "invalid_amount", "5.00"),
        ("10.", "invalid_amount", "10.00"),
        (".5", "invalid_amount", "0.50"),
        ("1,234", "invalid_amount", None),
        ("1e2", "invalid_amount", None),
        ("1e400", "invalid_amount", None),
        ("1_000", "invalid_amount", None),
        ("１０", "invalid_amount", None),
        ("١٠", "invalid_amount", None),
        ("dez", "invalid_amount", None),
        ("", "invalid_amount", None),
        (".", "invalid_amount", None),
        ("NaN", "invalid_amount", None),
        ("Infinity", "invalid_amount", None),
        ("1,50\n", "invalid_amount", "1.50"),
        (Decimal("NaN"), "invalid_amount", None),
        (Decimal("sNaN"), "invalid_amount", None),
        (Decimal("-Infinity"), "invalid_amount", None),
        (Decimal("1e400"), "invalid_amount", None),
        (Decimal("1e999999999"), "invalid_amount", None),
        (Decimal("1e-999999999"), "invalid_amount", None),
        (Decimal("-1e400"), "invalid_amount", None),
        ("0", "not_positive", None),
        ("0.00", "not_positive", None),
        (0, "not_positive", None),
        (-5, "not_positive", None),
        ("-5", "not_positive", None),
        ("-1.234,56", "not_positive", None),
        (Decimal("-0.01"), "not_positive", None),
        (Decimal("-0"), "not_positive", None),
        (Decimal("0E+300"), "not_positive", None),
        ("0.001", "too_many_decimals", None),
        ("0.30000000000000004", "too_many_decimals", "0.30"),
        (Decimal("0.30000000000000004"), "too_many_decimals", "0.30"),
        ("10.0000000000000000001", "too_many_decimals", "10.00"),
        (Decimal("10.0000000000000000001"), "too_many_decimals", "10.00"),
        ("0.005", "too_many_decimals", "0.01"),
        ("9.999", "too_many_decimals", "10.00"),
        (Decimal("10.000"), "too_many_decimals", "10.00"),
        ("0." + "0" * 5000 + "1", "too_many_decimals", None),
        ("10000000000", "amount_too_large", None),
        ("99999999999.99", "amount_too_large", None),
        (10**10, "amount_too_large", None),
        (Decimal("1e11"), "amount_too_large", None),
        ("9" * 5000, "amount_too_large", None),
        (1.5, "invalid_type", None),
        (float("nan"), "invalid_type", None),
        (True, "invalid_type", None),
        (False, "invalid_type", None),
        ([1], "invalid_type", None),
        (b"1", "invalid_type", None),
    ],
)
def test_refused(given_amount, code, right):
    with pytest.raises(InvalidCharge) as caught:
        parse_amount(given_amount)
    (issue,) = caught.value.issues
    assert (issue.field, issue.code) == ("amount", code)
    assert issue.params.get("right") == right
    for language in ("pt", "en"):
        assert "amount" in issue.detail(language)
        assert right is None or right in issue.detail(language)


def test_a_point_that_may_group_thousands_is_reported_with_both_readings():
    with pytest.raises(InvalidCharge) as caught:
        parse_amount("10.000")
    (issue,) = caught.value.issues
    assert issue.code == "too_many_decimals"
    assert "10.00" in issue.detail("pt")
    assert "10000.00" in issue.detail("pt")
    assert "10000.00" in issue.detail("en")


@pytest.mark.parametrize("amount", ["0.123", "1234.567", "1.2345"])
def test_a_point_that_cannot_group_thousands_has_one_reading(amount):
    with pytest.raises(InvalidCharge) as caught:
        parse_amount(amount)
    assert "or_right" not in caught.value.issues[0].params


@given(st.integers(1, 999_999_999_999))
def test_no_cent_is_lost(cents):
    written = parse_amount(Decimal(cents) / 100)
    assert Decimal(written) * 100 == cents
    assert parse_amount(written) == written


@given(st.decimals(allow_nan=True, allow_infinity=True) | st.integers() | st.text(max_size=30))
def test_either_exactly_that_amount_or_a_refusal(amount):
    try:
        written = parse_amount(amount)
    except InvalidCharge:
        return
    assert Decimal(written) == Decimal(amount)
