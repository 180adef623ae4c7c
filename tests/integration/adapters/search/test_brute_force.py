"""Searches find what reading every row finds: in order, each company once, none left out."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from brskills_server.adapters.search import search_file
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.register_search import Page, RegisterSearch
from tests.integration.adapters.search.conftest import Month
from tests.register.matching import matches
from tests.register.searches import searches

FEW, MANY = 80, 500  # searches; more of them only in a thorough run
# Among the few, each value of head office, Simples and MEI leaves something out, and something is left.
PARTS = [(13, FEW), *(pytest.param(part, MANY, marks=pytest.mark.thorough) for part in range(1, 5))]


@pytest.fixture(autouse=True)
def _no_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_file, "_SECONDS", 60)


def pages(engine: RegisterSearch, criteria: Criteria, chance: Random) -> Iterator[Page]:
    """Yield the pages of a search, each with another limit."""
    after, more = "", True
    while more:
        page = engine.search(criteria, after, limit := chance.choice((1, 3, 25, 100)))
        assert page
        assert len(page.companies) == limit if page.more else len(page.companies) <= limit
        yield page
        more = page.more
        after = page.companies[-1].cnpj if more else ""


@pytest.mark.parametrize(("part", "number"), PARTS)
def test_searches_agree_with_the_rows(engine: RegisterSearch, month: Month, part: int, number: int) -> None:
    chance, sizes = Random(part), []
    for criteria in searches(month.registered, number, part):
        expected = [one.number for one in month.registered if matches(criteria, one)]
        found = list(pages(engine, criteria, chance))
        assert [one.cnpj for page in found for one in page.companies] == expected, criteria
        assert {(page.total, page.is_exact) for page in found} == {(len(expected), True)}, criteria
        for one in found[0].companies:
            assert (one.establishment_row, one.company_row) == (
                month.rows[one.cnpj],
                month.rows[one.cnpj[:8]],
            )
        sizes.append(len(expected))
    assert sum(size == 0 for size in sizes) > number // 50
    assert sum(size > 100 for size in sizes) > number // 50
