"""Texts that are one letter away."""

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.search.near import MOST, near, near_any

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


def test_the_shortest_words_are_looked_up_however_many_and_long_the_others_are() -> None:
    long = [chr(ord("A") + n) * 40 for n in range(20)]
    found = near_any([*long, "PADARAI", "SILVO"])
    assert {"PADARIA", "SILVA"} <= found
    assert max(len(found), len(near_any(long))) <= MOST
    assert near_any(long) == near(long[0])
