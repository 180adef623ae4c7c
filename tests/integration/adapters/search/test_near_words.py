"""Suggestions for words that no name has."""

from __future__ import annotations

from collections import Counter

from brskills_server.registry.search.register_search import RegisterSearch
from tests.integration.adapters.search.conftest import Month


def test_each_slip_in_a_long_word_leads_back_to_it(engine: RegisterSearch, month: Month) -> None:
    words = _counted(month)
    long = [word for word in words if len(word) > 6]
    assert len(long) > 30
    for word in long:
        for slip in (word[:3] + word[4:], f"{word[:3]}7{word[3:]}", f"{word[:2]}7{word[3:]}"):
            begins_another = any(other.startswith(slip) for other in words)
            assert begins_another or word in engine.near_words([slip])


def test_the_more_frequent_words_come_first_and_no_more_than_are_wanted(
    engine: RegisterSearch, month: Month
) -> None:
    words = _counted(month)
    slips = [f"7{word[1:]}" for word in words if len(word) > 6][:8]
    found = engine.near_words(slips)
    assert len(found) == 5
    assert [words[word] for word in found] == sorted((words[word] for word in found), reverse=True)
    assert engine.near_words(slips, 3) == found[:3]


def test_no_suggestion_for_words_and_beginnings_that_there_are(engine: RegisterSearch, month: Month) -> None:
    words = [*_counted(month)]
    assert engine.near_words([*words, *(word[:3] for word in words)]) == []
    assert engine.near_words([]) == []
    assert engine.near_words(["QXQXQXQXQX"]) == []


def _counted(month: Month) -> Counter[str]:
    """Count the establishments that have each word."""
    return Counter(word for one in month.registered for word in one.words)
