"""Words that a typing error makes of others."""

from collections.abc import Iterator
from string import ascii_uppercase, digits

_LETTERS = ascii_uppercase + digits


def near(word: str) -> set[str]:
    """Return every text that is one letter away: one left out, added, replaced, or two exchanged.

    >>> {"PADRIA", "PADARIIA", "BADARIA", "PAADRIA"} <= near("PADARIA")
    True
    """
    return set(_near(word)) - {word}


def _near(word: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        begin, rest = word[:at], word[at:]
        yield begin + rest[1:]
        yield begin + rest[1:2] + rest[:1] + rest[2:]
        for letter in _LETTERS:
            yield begin + letter + rest
            yield begin + letter + rest[1:]
