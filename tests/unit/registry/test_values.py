"""Every form of a value, and values of wrong types."""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry import values
from brskills_server.registry.providers.fields import without_note
from brskills_server.registry.values import InvalidResponse, read_text


def code(width: int) -> Callable[[object], str | None]:
    return partial(values.read_code, width=width)


VALUES: dict[Callable[[Any], object], list[tuple[object, object]]] = {
    values.read_date: [
        ("2005-11-03", date(2005, 11, 3)),
        ("03/11/2005", date(2005, 11, 3)),
        ("2024-09-14T00:00:00.000Z", date(2024, 9, 14)),
        *((none, None) for none in ("", None, "0", 0, "00000000", "0000-00-00", "31/02/2020", "yesterday")),
    ],
    values.read_money: [
        ("0,00", "0.00"),
        ("120000000000,00", "120000000000.00"),
        ("1.234.567,89", "1234567.89"),
        ("400000.00", "400000.00"),
        (64100, "64100.00"),
        (Decimal("1000.5"), "1000.50"),
        ("999999999999,01", "999999999999.01"),
        ("999999999998,00", "999999999998.00"),
        *((none, None) for none in ("", None, "999999999999,00", "999999999999.00", 999999999999)),
    ],
    code(7): [(600001, "0600001"), ("60.21-7-00", "6021700"), (Decimal("600001.0"), "0600001")],
    code(8): [("22.460-901", "22460901")],
    code(2): [
        (0, "00"),
        ("03", "03"),
        *((none, None) for none in ("", None, "12a", 123, -1, "1-2-3", "-")),
    ],
    values.read_text: [
        ("SETOR   SHCN  CL ", "SETOR SHCN CL"),
        ("********", None),
        ("  ", None),
        (7, "7"),
        ("07", "07"),
    ],
    values.read_yes: [
        *((yes, True) for yes in (True, "S", "Sim")),
        *((no, False) for no in (False, "N", "Não")),
        ("", None),
        (None, None),
    ],
    values.read_head_office: [
        *((yes, True) for yes in (True, "Matriz", 1)),
        *((no, False) for no in (False, "FILIAL", "2")),
        *((none, None) for none in ("", None, "0")),
    ],
    values.read_age_band: [
        ("Entre 41 a 50 anos", "41 a 50 anos"),
        ("41-50", "41 a 50 anos"),
        ("Maiores de 80 anos", "mais de 80 anos"),
        ("81+", "mais de 80 anos"),
        ("5", "41 a 50 anos"),
        (9, "mais de 80 anos"),
        *((none, None) for none in ("Não se aplica", "0", None)),
    ],
    values.read_registration: [
        ("0962101427", "0962101427"),
        ("082.200.90-4", "082200904"),
        ("P-01100424.3/002", "P011004243002"),
        (84295760, "84295760"),
        ("13000000019", "13000000019"),  # eleven digits, and no CPF
        ("111.444.777-35", "***444777**"),
        ("PR 111.444.777-35", "PR***444777**"),
        *((none, None) for none in ("ISENTO", "", None)),
    ],
    partial(values.read_place_code, width=8): [
        ("01310100", "01310100"),
        *((none, None) for none in ("0", "00000000", 0)),
    ],
}


@pytest.mark.parametrize(
    ("read", "written", "value"),
    [(read, written, value) for read, cases in VALUES.items() for written, value in cases],
)
def test_values(read: Callable[[object], object], written: object, value: object) -> None:
    assert read(written) == value
    assert type(read(written)) is type(value)


@pytest.mark.parametrize(
    ("read", "written"),
    [
        *((values.read_money, written) for written in (True, [], {}, "-1", "Infinity", Decimal("1e30"))),
        *((code(2), written) for written in (True, 1.5, [])),
        *((values.read_text, written) for written in (True, 1.5, [], {})),
    ],
)
def test_values_of_a_wrong_type(read: Callable[[object], object], written: object) -> None:
    with pytest.raises((InvalidResponse, ArithmeticError)):
        read(written)


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
def test_a_note_is_what_its_pattern_matches(text: str) -> None:
    assert without_note(text) == re.sub(r"\s*\([^)]*\)$", "", text)


def test_a_text_longer_than_any_field_is_not_read() -> None:
    assert read_text("a" * 2000) == "a" * 2000
    with pytest.raises(InvalidResponse):
        read_text("(" * 200_000)
