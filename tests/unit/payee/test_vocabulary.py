"""The lists of words do not contradict each other."""

from brskills_server.skills.payee.vocabulary import (
    FILLERS,
    FORMS,
    GIVEN,
    LINKS,
    NUMBERS,
    PEOPLE,
    SHARED,
    SHORT,
    VAGUE,
    WEAK,
)


def test_a_word_is_of_one_kind() -> None:
    assert not SHARED & WEAK
    assert FILLERS <= VAGUE <= SHARED
    assert not (FORMS | LINKS) & (SHARED | WEAK | NUMBERS.keys())
    assert GIVEN < PEOPLE
    for words in (SHARED, WEAK, FORMS, LINKS, PEOPLE, SHORT.keys(), NUMBERS.keys()):
        assert all(word.isascii() and word.isupper() and word.isalpha() for word in words)
