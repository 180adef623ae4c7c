"""Every form of a value; one that cannot be read is ``None``."""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry import values
from brskills_server.registry.providers.fields import official, without_note
from tests.for_each import for_each


def code(width: int) -> Callable[[object], str | None]:
    return partial(values.read_code, width=width)


VALUES: list[tuple[Callable[[Any], object], dict[object, list[Any]]]] = [
    (
        values.read_date,
        {
            date(2005, 11, 3): ["2005-11-03", "03/11/2005"],
            date(2024, 9, 14): ["2024-09-14T00:00:00.000Z"],
            None: ["", None, "0", 0, "00000000", "0000-00-00", "31/02/2020", "yesterday"],
        },
    ),
    (
        values.read_money,
        {
            "0.00": ["0,00", "-0,00", Decimal("-0.0")],
            "120000000000.00": ["120000000000,00"],
            "1234567.89": ["1.234.567,89"],
            "400000.00": ["400000.00"],
            "64100.00": [64100],
            "1000.50": [Decimal("1000.5")],
            "999999999999.01": ["999999999999,01"],
            "999999999998.00": ["999999999998,00"],
            None: [
                *("", None, "999999999999,00", "999999999999.00", 999999999999),
                *(-1000, "-1000,00", "R$ 1", True, [], {}, "Infinity", Decimal("1e30")),
            ],
        },
    ),
    (code(7), {"0600001": [600001, Decimal("600001.0")], "6021700": ["60.21-7-00"]}),
    (code(8), {"22460901": ["22.460-901"]}),
    (
        code(2),
        {"00": [0], "03": ["03"], None: ["", None, "12a", 123, -1, "1-2-3", "-", True, 1.5, []]},
    ),
    (
        values.read_text,
        {
            "SETOR SHCN CL": ["SETOR   SHCN  CL "],
            "7": [7],
            "a" * 2000: ["a" * 2000],
            "07": ["07"],
            None: ["********", "  ", True, 1.5, [], {}, "a" * 2001],
        },
    ),
    (values.read_yes, {True: [True, "S", "Sim"], False: [False, "N", "Não"], None: ["", None]}),
    (
        values.read_head_office,
        {True: [True, "Matriz", 1], False: [False, "FILIAL", "2"], None: ["", None, "0"]},
    ),
    (
        values.read_age_band,
        {
            "41 a 50 anos": ["Entre 41 a 50 anos", "41-50", "5"],
            "mais de 80 anos": ["Maiores de 80 anos", "81+", 9],
            None: ["Não se aplica", "0", None],
        },
    ),
    (
        values.read_registration,
        {
            "0962101427": ["0962101427"],
            "082200904": ["082.200.90-4"],
            "P011004243002": ["P-01100424.3/002"],
            "84295760": [84295760],
            "13000000019": ["13000000019"],  # eleven digits, and no CPF
            "***444777**": ["111.444.777-35"],
            "PR***444777**": ["PR 111.444.777-35"],
            None: ["ISENTO", "", None],
        },
    ),
    (partial(values.read_place_code, width=8), {"01310100": ["01310100"], None: ["0", "00000000", 0]}),
    (
        lambda pair: official("paises", *pair),
        {
            ("249", "ESTADOS UNIDOS"): [(249, "EUA")],
            ("105", "BRASIL"): [("105", "Brasil"), (1058, "Brasil")],
            ("008", None): [("008", "")],
            (None, "Ruritânia"): [(None, "Ruritânia")],
            (None, None): [("", "")],
        },
    ),
    (values.read_area, {"21": ["0021", "021", 21, "(21)"], None: ["", "0", "00", "5", "0800", None, {}]}),
    (
        without_note,
        {
            "Microempresa": ["Microempresa (ME)"],
            "A (b) c": ["A (b) c (d)", "A (b) c"],
            "A": ["A ((b)"],
            "A )b)": ["A )b)"],
            "A)": ["A)"],
            "": ["(a)", ""],
        },
    ),
]


@for_each(
    ("read", "value", "written"),
    [(read, value, text) for read, cases in VALUES for value, texts in cases.items() for text in texts],
)
def test_values(read: Callable[[object], object], value: object, written: object) -> None:
    assert read(written) == value
    assert type(read(written)) is type(value)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats().map(str) | st.text() | st.decimals(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JUNK)
def test_no_value_makes_a_reader_fail(junk: object) -> None:
    readers = [read for read, cases in VALUES if None in cases]
    for read in (*readers, values.read_cnpj, values.read_digits, values.as_objects, values.split_phone):
        read(junk)
    official("paises", junk, junk)


@given(st.text("()a ", max_size=30).map(" ".join))
def test_a_note_is_what_its_pattern_matches(text: str) -> None:
    assert without_note(text) == re.sub(r"\s*\([^)]*\)$", "", text)
