"""Every way to write a value, and garbage."""

import json
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry import tables, values
from registry.values import Garbage


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
    ],
)
def test_money(written: object, amount: str | None) -> None:
    assert values.read_money(written) == amount


@pytest.mark.parametrize("written", [True, [], {}, "-1", "Infinity", Decimal("1e30")])
def test_no_money(written: object) -> None:
    with pytest.raises((Garbage, ArithmeticError)):
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
    with pytest.raises(Garbage):
        values.read_code(written, 2)


@pytest.mark.parametrize(
    ("written", "text"),
    [("SETOR   SHCN  CL ", "SETOR SHCN CL"), ("********", None), ("  ", None), (7, "7"), ("07", "07")],
)
def test_texts(written: object, text: str | None) -> None:
    assert values.read_text(written) == text


@pytest.mark.parametrize("written", [True, 1.5, [], {}])
def test_no_texts(written: object) -> None:
    with pytest.raises(Garbage):
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


def test_an_exclusion_on_the_day_of_the_option_means_never() -> None:
    option = values.option("N", "2007-07-01", "2007-07-01")
    assert option is not None
    assert (option.optante, option.data_opcao, option.data_exclusao) == (False, None, None)


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


def test_phones_lose_empty_and_repeated_ones() -> None:
    pairs = [("21", "21660000"), ("21", "2166-0000"), ("", ""), (None, None), (None, "3224")]
    assert [(p.ddd, p.numero) for p in values.phones(pairs)] == [("21", "21660000"), (None, "3224")]


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
    ("table", "text", "code"),
    [
        ("naturezas_juridicas", "Sociedade de Economia Mista", "2038"),
        ("naturezas_juridicas", "Natureza Jurídica não informada", "0000"),
        ("qualificacoes_socio", "Sócio-Administrador ", "49"),
        (tables.PORTES, "Microempresa (ME)", "01"),
        (tables.PORTES, "Empresa de Pequeno Porte (EPP)", "03"),
        (tables.SITUACOES, "Ativa", "02"),
        (tables.SITUACOES, "Something new", None),
    ],
)
def test_texts_find_their_codes(table: str, text: str, code: str | None) -> None:
    item = values.coded_text(table, text)
    assert item is not None
    assert item.codigo == code


@pytest.mark.parametrize("table", ["naturezas_juridicas", "qualificacoes_socio", "motivos"])
def test_every_official_text_finds_a_code_of_its_own(table: str) -> None:
    texts = {
        tables.description(table, f"{n:04}"[-4 if table.startswith("nat") else -2 :]) for n in range(10_000)
    }
    for text in texts - {None}:
        code = tables.code_of(table, str(text))
        assert tables.fold(tables.description(table, str(code)) or "") == tables.fold(str(text))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats().map(str) | st.text() | st.decimals(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(JUNK)
def test_readers_never_raise_anything_but_garbage(junk: object) -> None:
    for read in (
        values.read_text,
        values.read_date,
        values.read_money,
        values.read_yes,
        values.read_cnpj,
        values.read_age_band,
        values.section,
        values.rows,
        lambda value: values.read_code(value, 7),
        lambda value: values.phones([(value, value)]),
        lambda value: values.activities([(value, value)]),
    ):
        try:
            read(junk)
        except (Garbage, ArithmeticError):
            continue


def test_the_tables_are_the_official_ones() -> None:
    from tests.simulator.companies import DATA

    for path in (DATA / "tables").glob("*.json"):
        for code, text in json.loads(path.read_text(encoding="utf-8")).items():
            assert tables.description(path.stem, code) == text
