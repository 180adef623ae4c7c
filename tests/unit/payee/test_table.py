"""The labelled pairs: how often a firm answer is right, and that the document has the current table."""

from collections import Counter

import pytest

from brcode.text import clean
from tests.unit.payee.table import BLOCK, DOCUMENT, Pair, pairs, precision, table

EVERY = pairs("develop") + pairs("measure")


@pytest.mark.parametrize("half", ["develop", "measure"])
@pytest.mark.parametrize("answer", ["confere", "diverge"])
def test_a_firm_answer_is_right_in_99_of_100(half: str, answer: str) -> None:
    right, given = precision([(pair, pair.answer) for pair in pairs(half)], answer)
    assert given >= 100
    assert right / given >= 0.99


def test_the_document_holds_the_table() -> None:
    found = BLOCK.search(DOCUMENT.read_text(encoding="utf-8"))
    assert found
    assert found.group() == table()


def test_the_pairs_are_many_and_halved_within_each_category() -> None:
    assert len(EVERY) >= 450
    assert len({pair[:3] for pair in EVERY}) == len(EVERY)
    halves = Counter((pair.category, pair.half) for pair in EVERY)
    for category, _ in halves:
        assert abs(halves[category, "develop"] - halves[category, "measure"]) <= 1, category


def test_most_names_are_written_in_a_code_as_they_are() -> None:
    def fits(pair: Pair) -> bool:
        return clean("merchant_name", pair.written, 25)[0] == pair.written

    assert all(len(pair.written) <= 25 for pair in EVERY)
    assert sum(map(fits, EVERY)) > len(EVERY) * 0.97
