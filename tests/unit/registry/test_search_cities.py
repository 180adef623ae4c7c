"""Municipalities of a search, by the codes of IBGE and SIAFI."""

import pytest

from brskills_server.registry import tables
from brskills_server.registry.search.cities import UnknownCity, find_cities
from brskills_server.registry.search.city_names import cities_named
from tests.for_each import for_each

RIO_BRANCO_AC, RIO_BRANCO_MT = "1200401", "5107206"


def test_every_municipality_of_ibge_is_found_by_its_code_and_state() -> None:
    for code in {*tables._read("municipios_ibge").values()}:
        places = find_cities([code])
        assert {tables.ibge_code(place[:4], place[4:]) for place in places} == {code}


def test_a_code_of_siafi_stays_as_it_is() -> None:
    assert find_cities(["0139", "7107", "9707"]) == ("0139", "7107", "9707")


def test_namesakes_are_searched_together_with_others() -> None:
    assert find_cities([RIO_BRANCO_AC, RIO_BRANCO_MT, "3550308"]) == (
        "0139AC", "0139MT", "7107", "8995AC", "8995MT",
    )  # fmt: skip


@for_each("code", ["", "0000", "9999999", "355030", "１２３４"])
def test_other_codes_are_unknown(code: str) -> None:
    with pytest.raises(UnknownCity):
        find_cities(["3550308", code])


def test_every_municipality_is_found_by_its_name_with_the_state() -> None:
    for code, places in tables.places_by_ibge().items():
        name = tables.description("municipios_siafi", places[0][:4])
        state = next(iter({city.name[-2:] for city in cities_named(name or "") if city.code == code}))
        assert code in {city.code for city in cities_named(f"{name} / {state.lower()}")}


@for_each(
    ("text", "codes"),
    [
        ("são paulo", ["3550308"]),
        ("Sao  Paulo - SP", ["3550308"]),
        ("SÃO PAULO (SP)", ["3550308"]),
        ("São Paulo/RJ", []),
        ("ji-parana", ["1100122"]),
        ("Pau D'Arco", ["1505551", "1716307"]),
        ("Aracatu/BA", ["2902005"]),
        ("Bom Jesus, PB", ["2502201"]),
        ("Bom Jesus", ["2201903", "2401701", "2502201", "4202537", "4302303"]),
        ("Paulo", []),
        ("", []),
        ("\x00" * 200, []),
    ],
)
def test_names_as_people_type_them(text: str, codes: list[str]) -> None:
    assert [city.code for city in cities_named(text)] == codes
