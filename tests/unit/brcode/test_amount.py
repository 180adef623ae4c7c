"""Amounts: exact, two decimals, never zero; each issue has its code and the corrected value."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brcode import InvalidCharge, parse_amount
from tests.for_each import for_each

WRITTEN = [
    ("49.90", "49.90"), ("49.9", "49.90"), ("49", "49.00"), (49, "49.00"), ("0.01", "0.01"),
    ("0010.50", "10.50"), ("9999999999.99", "9999999999.99"), (9999999999, "9999999999.00"),
    (Decimal("49.9"), "49.90"), (Decimal("0.1"), "0.10"), (Decimal("10.00"), "10.00"),
    (Decimal("1E+2"), "100.00"), (Decimal("1e-2"), "0.01"), (Decimal("1.5e1"), "15.00"),
]  # fmt: skip


@for_each(("given_amount", "written"), WRITTEN)
def test_written(given_amount, written):
    assert parse_amount(given_amount) == written


REFUSED = {
    "invalid_amount": [
        "1,234", "1 00,00", ",00", "1e2", "1e400", "1_000", "１０", "١٠", "dez", "", ".", "NaN", "Infinity",
        *map(Decimal, ["NaN", "sNaN", "-Infinity", "1e400", "-1e400", "1e999999999", "1e-999999999"]),
    ],
    "not_positive": [
        "0", "0.00", "-5", "-1.234,56", 0, -5, *map(Decimal, ["-0.01", "-0", "0E+300"]),
    ],
    "too_many_decimals": ["0.001", "0." + "0" * 5000 + "1"],
    "amount_too_large": ["10000000000", "99999999999.99", 10**10, Decimal("1e11"), "9" * 5000],
    "invalid_type": [1.5, float("nan"), True, False, [1], b"1"],
}  # fmt: skip
CORRECTED = {
    "invalid_amount": {
        "1.234,56": "1234.56", "1,234.56": "1234.56", " 49,90": "49.90", "49,9": "49.90", "R$ 49,90": "49.90",
        "49.90 ": "49.90", "+5": "5.00", "10.": "10.00", ".5": "0.50", "1,50\n": "1.50",
        ",50": "0.50", "1 000,00": "1000.00", "R$\xa01\u202f000,5": "1000.50", "1\xa0000": "1000.00",
        "1 234 567.89": "1234567.89", "49,90 R$": "49.90",
    },
    "too_many_decimals": {
        "0.30000000000000004": "0.30", Decimal("0.30000000000000004"): "0.30", "0.005": "0.01",
        "9.999": "10.00", "10.0000000000000000001": "10.00", Decimal("10.0000000000000000001"): "10.00",
        Decimal("10.000"): "10.00",
    },
}  # fmt: skip


@for_each(
    ("given_amount", "code", "right"),
    [(amount, code, None) for code, amounts in REFUSED.items() for amount in amounts]
    + [(amount, code, right) for code, amounts in CORRECTED.items() for amount, right in amounts.items()],
)
def test_rejected(given_amount, code, right):
    with pytest.raises(InvalidCharge) as caught:
        parse_amount(given_amount)
    (issue,) = caught.value.issues
    assert (issue.field, issue.code) == ("amount", code)
    assert issue.params.get("right") == right
    for language in ("pt", "en"):
        assert "amount" in issue.detail(language)
        assert right is None or right in issue.detail(language)


@for_each(
    ("amount", "other"), [("10.000", "10000.00"), ("0.123", None), ("1234.567", None), ("1.2345", None)]
)
def test_both_readings_where_a_point_may_group_thousands(amount, other):
    with pytest.raises(InvalidCharge) as caught:
        parse_amount(amount)
    (issue,) = caught.value.issues
    assert issue.params.get("or_right") == other
    assert other is None or (other in issue.detail("pt") and other in issue.detail("en"))


@given(st.integers(1, 999_999_999_999))
def test_no_cent_is_lost(cents):
    written = parse_amount(Decimal(cents) / 100)
    assert Decimal(written) * 100 == cents
    assert parse_amount(written) == written


@given(st.decimals(allow_nan=True, allow_infinity=True) | st.integers() | st.text(max_size=30))
def test_exactly_that_amount_or_an_issue(amount):
    try:
        written = parse_amount(amount)
    except InvalidCharge:
        return
    assert Decimal(written) == Decimal(amount)
