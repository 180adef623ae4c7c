"""A search's expression has only words that the index has, for FTS5 opens each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from brskills_server.adapters.search.matching import match_of
from brskills_server.adapters.search.search_file import SEARCH_FILE, SearchFile
from brskills_server.adapters.search.vocabulary import Vocabulary
from brskills_server.registry.search.query import WordQuery
from tests.integration.adapters.search.conftest import Month


@pytest.fixture
def vocabulary(month: Month) -> Iterator[Vocabulary]:
    with SearchFile(month.file.parent / SEARCH_FILE).session() as session:
        yield Vocabulary(session)


def test_a_beginning_is_the_words_of_names_that_begin_so(month: Month, vocabulary: Vocabulary) -> None:
    names = {word for one in month.registered for word in one.words}
    for length in (3, 5):
        for beginning in sorted({word[:length] for word in names if len(word) >= length})[::7]:
            match = match_of(WordQuery([[(f"{beginning}*",)]], []), vocabulary)
            assert match
            expected = {word for word in names if word.startswith(beginning)}
            if length == 3:
                expected = {f"{word[:4]}_" if len(word) > length else word for word in expected}
            assert {*re.findall(r'"(\w+)"', match)} == expected, beginning


def test_what_no_name_has_fits_nothing(vocabulary: Vocabulary) -> None:
    assert match_of(WordQuery([[("QQQ*",), ("PAD*", "QQQQQ*")]], []), vocabulary) is None
    match = match_of(WordQuery([[("QQQ*",), ("_SP",)]], ["_S02"]), vocabulary)
    assert match == '"_SP" NOT "_S02"'
