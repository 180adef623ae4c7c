"""What a search's request means, and every issue with one that means nothing."""

from contextlib import suppress
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.cursor import Cursor, write_cursor
from brskills_server.skills.cnpj.search_request import ANCHORS, MOST_WORDS, SHAPES, Search, read_search
from brskills_server.skills.cnpj.search_values import STATES
from brskills_server.skills.errors import InvalidRequest
from tests.for_each import for_each

ROOT = {"raiz": "33000167"}
HOSTILE = (
    'padaria" OR 1=1 --', "NEAR(a b)", "nome:x*", "^a - b + (c)", "a\x00b", "padaria" * 1_428,
    "\uff30\uff21\uff24", "\u0440adaria", "\ud800", "\U0001f600", "'; DROP TABLE rows; --", "{}", "\\",
    "%", "_", "-", "*", "", " ", "\n",
)  # fmt: skip


def criteria(**content: Any) -> Criteria:
    return read_search(content).criteria


def issues(**content: Any) -> dict[str, str]:
    with pytest.raises(InvalidRequest) as caught:
        read_search(content)
    for found in caught.value.fields:
        assert found.detail("pt") != found.detail("en")
    return {found.field: found.code for found in caught.value.fields}


@for_each(
    ("content", "expected"),
    [
        ({"nome": "São João da Padaria"}, {"names": (("DA", "JOAO", "PADARIA", "SAO"),)}),
        ({"nome": ["b a", "a b", "c"]}, {"names": (("A", "B"), ("C",))}),
        ({"raiz": "33.000.167"}, {"roots": ("33000167",), "statuses": ()}),
        ({"raiz": ["12abc345", 191]}, {"roots": ("00000191", "12ABC345"), "statuses": ()}),
        ({"cnae": "6201-5/01"}, {"activities": ("6201501",)}),
        ({"cnae_principal": [600001, "6201501"]}, {"main_activities": ("0600001", "6201501")}),
        ({"cnae": ["111301", "111-3/02", "0600-0/01"]}, {"activities": ("0111301", "0111302", "0600001")}),
        ({"municipio": "3550308"}, {"cities": ("7107",)}),
        ({"municipio": ["7107", 6001, 3550308]}, {"cities": ("6001", "7107")}),
        ({"municipio": 1}, {"cities": ("0001",)}),
        ({"municipio": ["São Paulo", "rio de janeiro/RJ"]}, {"cities": ("6001", "7107")}),
        (
            {"municipio": "Bom Jesus", "uf": "pb"},
            {"cities": ("0900PB", "1037PB", "1633PB", "1945PB", "8545PB"), "states": ("PB",)},
        ),
        ({"municipio": "1200401"}, {"cities": ("0139AC", "8995AC")}),
        ({"municipio": ["1200401", 3550308]}, {"cities": ("0139AC", "7107", "8995AC")}),
        ({"cep": ["20031-170", "20.031"]}, {"postal_codes": ("20031", "20031170")}),
        ({"socio_cnpj": "33.000.167/0001-01"}, {"partners": ("33000167000101",)}),
        ({"socio_cnpj": 191}, {"partners": ("00000000000191",)}),
        ({**ROOT, "uf": [" rj ", "EX"]}, {"roots": ("33000167",), "states": ("EX", "RJ"), "statuses": ()}),
        ({**ROOT, "situacao": "Ativa"}, {"roots": ("33000167",)}),
    ],
)
def test_an_anchor_is_taken_in_any_of_its_forms(content: dict[str, Any], expected: dict[str, Any]) -> None:
    assert criteria(**content) == Criteria(**{"statuses": ("02",), **expected})


@for_each(
    ("content", "expected"),
    [
        ({"natureza_juridica": ["206-2", 2135]}, {"natures": ("2062", "2135")}),
        ({"porte": [1, "05"]}, {"sizes": ("01", "05")}),
        ({"situacao": "BAIXADA"}, {"statuses": ("08",)}),
        ({"situacao": [2, "nula", "08"]}, {"statuses": ("01", "02", "08")}),
        ({"situacao": ["Todas", "ativa"]}, {"statuses": ()}),
        ({"aberta_de": "2026-01-31"}, {"opened_from": date(2026, 1, 31)}),
        ({"aberta_de": "2026-01-31", "aberta_ate": "2026-01-31"}, dict.fromkeys(
            ("opened_from", "opened_to"), date(2026, 1, 31))),
        ({"matriz": True, "mei": False}, {"head_office": True, "mei": False}),
        ({"simples": True}, {"simples": True}),
        ({"uf": None, "mei": None, "cursor": None}, {}),
        ({"uf": [*STATES][:20]}, {"states": STATES[:20]}),
    ],
)  # fmt: skip
def test_the_others_narrow_it_down(content: dict[str, Any], expected: dict[str, Any]) -> None:
    given_ = {"nome": "x", **content}
    assert criteria(**given_) == Criteria(**{"names": (("X",),), "statuses": ("02",), **expected})


@for_each(
    ("field", "value", "code"),
    [
        ("nome", "!?", "without_words"),
        ("nome", "日本", "without_words"),
        ("nome", ["padaria", ""], "without_words"),
        ("nome", "a" * 201, "too_long"),
        ("nome", 7, "invalid_type"),
        ("nome", ["a"] * 21, "invalid_length"),
        ("nome", [], "invalid_length"),
        ("raiz", "3300016", "invalid_code"),
        ("raiz", 330001670, "invalid_code"),
        ("raiz", -1, "invalid_code"),
        ("cnae", "620150", "invalid_code"),  # a digit is missing, and not a zero in front
        ("cnae", 6201, "invalid_code"),
        ("cnae", 62015010, "invalid_code"),
        ("cnae", True, "invalid_type"),
        ("cnae", 0.5, "invalid_type"),
        ("cnae_principal", [["6201501"]], "invalid_type"),
        ("uf", "São Paulo", "invalid_value"),
        ("uf", 35, "invalid_type"),
        ("municipio", "9999999", "unknown_city"),
        ("municipio", "São Paul", "unknown_city"),
        ("municipio", "", "unknown_city"),
        ("municipio", "Bom Jesus", "ambiguous_city"),
        ("municipio", 35503, "unknown_city"),
        ("cnae", -6201501, "invalid_code"),
        ("natureza_juridica", -2062, "invalid_code"),
        ("cep", "2003", "invalid_code"),
        ("cep", 20031170, "invalid_type"),
        ("natureza_juridica", "62", "invalid_code"),
        ("porte", "1", "invalid_value"),
        ("porte", "04", "invalid_value"),
        ("situacao", "2", "invalid_value"),
        ("situacao", "fechada", "invalid_value"),
        ("socio_cnpj", "191", "invalid_cnpj"),
        ("socio_cnpj", "33000167000102", "invalid_check_digits"),
        ("socio_cnpj", 10**14, "invalid_cnpj"),
        ("aberta_de", "2026-02-30", "invalid_date"),
        ("aberta_de", "20260131", "invalid_date"),
        ("aberta_ate", "2026-01-31T00:00", "invalid_date"),
        ("aberta_ate", ["2026-01-31"], "invalid_type"),
        ("matriz", "sim", "invalid_type"),
        ("mei", 1, "invalid_type"),
        ("simples", [True], "invalid_type"),
        ("limite", 0, "out_of_range"),
        ("limite", 101, "out_of_range"),
        ("cursor", "", "invalid_cursor"),
        ("cursor", "á", "invalid_cursor"),
        ("telefone", "2166660000", "unknown_field"),
        ("socio", "JOANA", "unknown_field"),
    ],
)
def test_any_other_value_is_an_issue(field: str, value: Any, code: str) -> None:
    assert issues(**{**ROOT, field: value}) == {field: code}


def test_names_have_so_many_words_in_all() -> None:
    names = [" ".join(f"{name:x}{word:02}" for word in range(20)) for name in range(10)]
    assert sum(map(len, criteria(nome=names).names)) == MOST_WORDS
    assert issues(nome=[*names, "um"]) == {"nome": "too_many_words"}


def test_all_issues_are_listed_at_once() -> None:
    found = issues(raiz="x", uf="x", aberta_de="x", mei="x", limite=0, quem="x", porte=[])
    assert found == {
        "mei": "invalid_type", "limite": "out_of_range", "quem": "unknown_field", "raiz": "invalid_code",
        "uf": "invalid_value", "porte": "invalid_length", "aberta_de": "invalid_date",
    }  # fmt: skip


def test_a_period_ends_after_it_begins() -> None:
    assert issues(**ROOT, aberta_de="2026-02-01", aberta_ate="2026-01-31") == {"aberta_ate": "invalid_period"}


def test_a_municipality_of_another_state_than_the_given_one_finds_nothing() -> None:
    found = criteria(municipio="1200401", uf="MT")
    assert (found.cities, found.states) == (("0139AC", "8995AC"), ("MT",))


def test_a_search_needs_an_anchor() -> None:
    for content in ({}, {"uf": "SP", "mei": True, "situacao": "todas"}, dict.fromkeys(ANCHORS)):
        assert issues(**content) == dict.fromkeys(ANCHORS, "too_broad")
    assert issues(nome="!") == {"nome": "without_words"}


def test_a_page_has_a_limit_and_a_beginning() -> None:
    search = criteria(**ROOT)
    assert read_search(ROOT) == Search(search, 25, Cursor("", ""))
    cursor = Cursor("33000167000101", "a1")
    following = {**ROOT, "limite": 100, "cursor": write_cursor(cursor, search)}
    assert read_search(following) == Search(search, 100, cursor)
    assert issues(**{**following, "uf": "SP"}) == {"cursor": "invalid_cursor"}


def test_a_cursor_is_of_the_same_search_however_it_is_written() -> None:
    search = criteria(nome="padaria joão", cnae=["6201501", 600001])
    text = write_cursor(Cursor("33000167000101", "a1"), search)
    again = {"nome": ["JOAO  PADARIA"], "cnae": ["0600-0/01", "6201501"], "situacao": 2, "cursor": text}
    assert read_search(again).criteria == search


@for_each("field", [*SHAPES])
@for_each("text", HOSTILE)
def test_a_hostile_text_is_a_value_or_an_issue(field: str, text: str) -> None:
    for value in (text, [text]):
        with suppress(InvalidRequest):
            names = read_search({**ROOT, field: value}).criteria.names
            assert all(word.isascii() and word.isalnum() for name in names for word in name)


_VALUES = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from(["02", "SP", "todas"])
)


@given(content=st.dictionaries(st.sampled_from([*SHAPES]), _VALUES | st.lists(_VALUES, max_size=3)))
def test_any_content_is_a_search_or_has_issues(content: dict[str, Any]) -> None:
    with suppress(InvalidRequest):
        assert 1 <= read_search(content).limit <= 100
