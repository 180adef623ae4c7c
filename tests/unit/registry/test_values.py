"""Every way to write a value, and values that are not any."""

import re
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry import values
from brskills_server.registry.providers.reading.fields import without_note
from brskills_server.registry.values import InvalidResponse, read_text


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2005-11-03", date(2005, 11, 3)),
        ("03/11/2005", date(2005, 11, 3)),
        ("2024-09-14T00:00:00.000Z", date(2024, 9, 14)),
        ("", None),
        (None, None),
        ("0", None),
        (0, None),
        ("00000000", None),
        ("0000-00-00", None),
        ("31/02/2020", None),
        ("yesterday", None),
    ],
)
def test_days(written: object, day: date | None) -> None:
    assert values.read_date(written) == day


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("0,00", "0.00"),
        ("120000000000,00", "120000000000.00"),
        ("1.234.567,89", "1234567.89"),
        ("400000.00", "400000.00"),
        (64100, "64100.00"),
        (Decimal("1000.5"), "1000.50"),
        ("", None),
        (None, None),
        ("999999999999,00", None),  # how the register says that it does not know
        ("999999999999.00", None),
        (999999999999, None),
        ("999999999999,01", "999999999999.01"),
        ("999999999998,00", "999999999998.00"),
    ],
)
def test_money(written: object, amount: str | None) -> None:
    assert values.read_money(written) == amount


@pytest.mark.parametrize("written", [True, [], {}, "-1", "Infinity", Decimal("1e30")])
def test_no_money(written: object) -> None:
    with pytest.raises((InvalidResponse, ArithmeticError)):
        values.read_money(written)


@pytest.mark.parametrize(
    ("written", "width", "code"),
    [
        (600001, 7, "0600001"),
        ("60.21-7-00", 7, "6021700"),
        (0, 2, "00"),
        ("03", 2, "03"),
        ("22.460-901", 8, "22460901"),
        ("", 4, None),
        (None, 4, None),
    ],
)
def test_codes(written: object, width: int, code: str | None) -> None:
    assert values.read_code(written, width) == code


@pytest.mark.parametrize("written", ["12a", 123, -1, "1-2-3", "-"])
def test_odd_codes_are_none(written: object) -> None:
    assert values.read_code(written, 2) is None


@pytest.mark.parametrize("written", [True, 1.5, []])
def test_no_codes(written: object) -> None:
    with pytest.raises(InvalidResponse):
        values.read_code(written, 2)


@pytest.mark.parametrize(
    ("written", "text"),
    [("SETOR   SHCN  CL ", "SETOR SHCN CL"), ("********", None), ("  ", None), (7, "7"), ("07", "07")],
)
def test_texts(written: object, text: str | None) -> None:
    assert values.read_text(written) == text


@pytest.mark.parametrize("written", [True, 1.5, [], {}])
def test_no_texts(written: object) -> None:
    with pytest.raises(InvalidResponse):
        values.read_text(written)


@pytest.mark.parametrize(
    ("written", "yes"),
    [
        (True, True),
        (False, False),
        ("S", True),
        ("N", False),
        ("Sim", True),
        ("Não", False),
        ("", None),
        (None, None),
    ],
)
def test_yes_and_no(written: object, yes: bool | None) -> None:
    assert values.read_yes(written) is yes


@pytest.mark.parametrize(
    ("written", "head"),
    [
        (True, True),
        (False, False),
        ("Matriz", True),
        ("FILIAL", False),
        (1, True),
        ("2", False),
        ("", None),
        (None, None),
        ("0", None),
    ],
)
def test_head_offices(written: object, head: bool | None) -> None:
    assert values.read_head_office(written) is head


@pytest.mark.parametrize(
    ("written", "band"),
    [
        ("Entre 41 a 50 anos", "41 a 50 anos"),
        ("41-50", "41 a 50 anos"),
        ("Maiores de 80 anos", "mais de 80 anos"),
        ("81+", "mais de 80 anos"),
        ("Não se aplica", None),
        (None, None),
    ],
)
def test_age_bands(written: str | None, band: str | None) -> None:
    assert values.read_age_band(written) == band


@pytest.mark.parametrize(
    ("rfb", "text", "country"),
    [
        (249, "EUA", "ESTADOS UNIDOS"),
        ("105", "Brasil", "BRASIL"),
        (1058, "Brasil", "BRASIL"),
        (None, "Ruritânia", "Ruritânia"),
        ("", "", None),
    ],
)
def test_countries(rfb: object, text: str, country: str | None) -> None:
    assert values.read_country(rfb, text) == country


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("0962101427", "0962101427"),
        ("082.200.90-4", "082200904"),
        ("P-01100424.3/002", "P011004243002"),
        (84295760, "84295760"),
        ("13000000019", "13000000019"),  # eleven digits, and no CPF
        ("111.444.777-35", "***444777**"),
        ("PR 111.444.777-35", "PR***444777**"),
        ("ISENTO", None),
        ("", None),
        (None, None),
    ],
)
def test_state_registrations(written: object, number: str | None) -> None:
    assert values.read_registration(written) == number


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats().map(str) | st.text() | st.decimals(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JUNK)
def test_readers_never_raise_anything_but_what_marks_an_invalid_response(junk: object) -> None:
    for read in (
        values.read_text,
        values.read_date,
        values.read_money,
        values.read_yes,
        values.read_cnpj,
        values.read_age_band,
        values.read_digits,
        values.read_registration,
        values.read_head_office,
        values.as_objects,
        values.split_phone,
        lambda value: values.read_code(value, 7),
        lambda value: values.read_country(value, value),
    ):
        try:
            read(junk)
        except (InvalidResponse, ArithmeticError):
            continue


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Microempresa (ME)", "Microempresa"),
        ("A (b) c (d)", "A (b) c"),
        ("A ((b)", "A"),
        ("A (b) c", "A (b) c"),
        ("A )b)", "A )b)"),
        ("(a)", ""),
        ("A)", "A)"),
        ("", ""),
    ],
)
def test_a_last_remark_in_parentheses_is_no_part_of_a_name(text: str, bare: str) -> None:
    assert without_note(text) == bare


@given(st.text("()a ", max_size=30).map(" ".join))
def test_a_remark_is_what_the_pattern_of_it_says(text: str) -> None:
    assert without_note(text) == re.sub(r"\s*\([^)]*\)$", "", text)


def test_a_text_longer_than_any_field_is_not_read() -> None:
    assert read_text("a" * 2000) == "a" * 2000
    with pytest.raises(InvalidResponse):
        read_text("(" * 200_000)
