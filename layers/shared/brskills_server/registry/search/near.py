"""Words that a typing error makes of others."""

from collections.abc import Iterable, Iterator
from string import ascii_uppercase, digits

MOST = 4_000
"""Texts that are looked up for one search: those of five words of ten letters."""

_LETTERS = ascii_uppercase + digits
_EACH = 2 * (len(_LETTERS) + 1)  # for each letter of a word, and for its end


def near(word: str) -> set[str]:
    """Return every text that is one letter away: one left out, added, replaced, or two exchanged.

    >>> {"PADRIA", "PADARIIA", "BADARIA", "PAADRIA"} <= near("PADARIA")
    True
    """
    return set(_near(word)) - {word}


def near_any(words: Iterable[str]) -> set[str]:
    """Return every text that is near one of some words, of the shortest of them: `MOST` at most."""
    found, left = set[str](), MOST
    for word in sorted(words, key=len):
        left -= _EACH * (len(word) + 1)
        if left < 0:
            break
        found |= near(word)
    return found


def _near(word: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        begin, rest = word[:at], word[at:]
        yield begin + rest[1:]
        yield begin + rest[1:2] + rest[:1] + rest[2:]
        for letter in _LETTERS:
            yield begin + letter + rest
            yield begin + letter + rest[1:]
