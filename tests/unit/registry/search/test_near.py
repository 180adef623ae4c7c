"""Texts that are one letter away."""

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.search.near import near

WORDS = st.text("ABZ09", min_size=1, max_size=8)


@given(WORDS, WORDS)
def test_nearness_is_mutual(one: str, other: str) -> None:
    assert (one in near(other)) == (other in near(one))


@given(WORDS, st.data())
def test_every_slip_of_one_letter_is_near(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from("ABZ09"))
    begin, own, rest = word[:at], word[at], word[at + 1 :]
    slips = {begin + rest, begin + letter + rest, begin + letter + own + rest}
    slips |= {begin + rest[:1] + own + rest[1:]}
    assert slips - {word} <= near(word)


def test_a_word_is_not_near_itself_nor_what_is_two_letters_away() -> None:
    assert near("PADARIA").isdisjoint({"PADARIA", "PADAR", "PADARIASX", "BADARIO"})
