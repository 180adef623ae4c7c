"""Totals: up to how many they are exact, and what the vocabulary knows of them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from brskills_server.adapters.search import finding
from brskills_server.adapters.search.folder import FolderSearch
from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.registry.search.criteria import Criteria
from tests.integration.adapters.search.conftest import Month
from tests.register.matching import Registered, matches

LTDA = Criteria(names=(("LTDA",),))
"""One word, whose total is in the vocabulary."""
TWO = Criteria(names=(("LTDA",), ("SILVA",)))


@pytest.mark.parametrize("criteria", [LTDA, TWO, Criteria()])
@pytest.mark.parametrize("listed", [1, 50, 100_000])
@pytest.mark.parametrize("distance", [-1, 0, 1])
def test_a_total_is_exact_up_to_the_most_that_is_counted(
    month: Month, monkeypatch: pytest.MonkeyPatch, criteria: Criteria, listed: int, distance: int
) -> None:
    expected = [one.number for one in month.registered if matches(criteria, one)]
    assert len(expected) > 200
    most = len(expected) + distance
    monkeypatch.setattr(finding, "_LISTED", listed)
    monkeypatch.setattr(finding, "MOST_COUNTED", most)
    search = FolderSearch(month.folder)
    for place in (0, 60, len(expected) - 11, len(expected) - 10, len(expected) - 1):
        page = search.search(criteria, expected[place - 1] if place else "", 10)
        assert page
        assert [one.cnpj for one in page.companies] == expected[place : place + 10]
        assert page.more == (place + 10 < len(expected))
        assert (page.total, page.is_exact) == (min(len(expected), most), distance >= 0)


def test_the_total_of_a_root_is_not_that_of_a_word(month: Month) -> None:
    one = next(one for one in month.registered if matches(LTDA, one))
    criteria = Criteria(names=LTDA.names, roots=(one.number[:8],))
    page = FolderSearch(month.folder).search(criteria, "", 100)
    assert page
    assert page.total == len(page.companies) == sum(matches(criteria, one) for one in month.registered)


def test_the_vocabulary_counts_the_documents_of_each_word(month: Month) -> None:
    with closing(sqlite3.connect(month.file.parent / SEARCH_FILE)) as connection:
        found = dict(connection.execute("SELECT word, documents FROM vocabulary"))
    assert found == Counter(word for one in month.registered for word in _words(one))


def _words(one: Registered) -> set[str]:
    own, year = one.establishment, one.establishment["opened"][:4]
    return {
        *one.words,
        *(f"{word[:4]}_" for word in one.words if len(word) >= 4),
        f"_B{own['city']}{own['status']}",
        f"_C{own['city']}",
        *([f"_D{year}"] if year else []),
        f"_P{one.company['size']}",
        f"_S{own['status']}",
        f"_U{own['state']}",
    }
