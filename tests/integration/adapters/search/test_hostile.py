"""Whatever a person types is a search that finds nothing, or what it would find anyway."""

from __future__ import annotations

import pytest

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.register_search import RegisterSearch
from brskills_server.registry.search.words import fold
from tests.integration.adapters.search.conftest import Month

OPERATORS = [
    "AND",
    "OR",
    "NOT",
    "NEAR(a b, 2)",
    "a NEAR b",
    "words: x",
    "^x",
    "-x",
    "x*",
    "x + y",
    "{words} : x",
]
QUOTES = ['"', "'", '""', "\\'", "');--", '" OR ""="', "' | 'x", "x:*", "!x", "x & !y", "<->", "(" * 300]
OTHERS = [
    "",
    " ",
    "\0",
    "PADARIA\0LTDA",
    "\ud800",
    "A" * 10_000,
    "A " * 5_000,
    "ÇÃO " * 500,
    "ＰＡＤＡＲＩＡ",
    "РАDARIA",
    "i_S",
    "c_7107",
    "d_2024*",
    "%_",
    "🙂",
]


@pytest.mark.parametrize("text", [*OPERATORS, *QUOTES, *OTHERS], ids=ascii)
def test_a_text_is_only_its_words(engine: RegisterSearch, month: Month, text: str) -> None:
    words = tuple(sorted(set(fold(text))))
    page = engine.search(Criteria(names=(words,)), "", 100)
    assert page
    assert {one.number for one in month.registered if _has(words, one.words)} >= {
        company.cnpj for company in page.companies
    }
    engine.near_words(words)


def _has(words: tuple[str, ...], own: frozenset[str]) -> bool:
    return all(any(one.startswith(word) for one in own) for word in words)


def test_many_values_of_every_field(engine: RegisterSearch) -> None:
    codes = tuple(f"{number:07}" for number in range(1_000))
    names = tuple((f"PALAVRA{number}", f"OUTRA{number}") for number in range(100))
    for criteria in (
        Criteria(activities=codes, states=("SP",) * 27, statuses=("02", "08")),
        Criteria(names=names, cities=codes),
        Criteria(roots=tuple(f"{number:08}" for number in range(100))),
    ):
        page = engine.search(criteria, "", 1)
        assert page


@pytest.mark.parametrize("after", ["", "0", "00000000000000", "99999999999999", "ZZZZZZZZZZZZ99", "é", "~"])
def test_any_text_as_a_number_to_continue_behind(engine: RegisterSearch, month: Month, after: str) -> None:
    page = engine.search(Criteria(), after, 100)
    assert page
    expected = [one.number for one in month.registered if one.number > after]
    assert [company.cnpj for company in page.companies] == expected[:100]
    assert (page.total, page.more) == (len(month.registered), len(expected) > 100)
