"""Comparing two words of names: whether one abbreviates the other, and whether they may be the same.

>>> stands_for("TRANSP", "TRANSPORTES"), may_be("CENTRAL", "CENTR"), may_be("WAGNER", "VAGNER")
(True, True, True)
"""

import re

from brskills_server.skills.payee.vocabulary import SHARED

_LONGEST = 30  # letters of a word that are compared
_BEGINNING = 3  # least letters of a word's beginning
_SOUNDS = (
    ("PH", "F"), ("TH", "T"), ("CH", "X"), ("SH", "X"), ("QU", "K"), ("CE", "SE"), ("CI", "SI"), ("C", "K"),
    ("Q", "K"), ("Y", "I"), ("W", "V"), ("Z", "S"), ("GU", "G"), ("GE", "JE"), ("GI", "JI"),
)  # fmt: skip


def stands_for(short: str, word: str) -> bool:
    """Return whether a word is certainly the other: the same, or a shortened word of a trade."""
    return short == word or (len(short) > 2 and word in SHARED and word.startswith(short))


def may_be(one: str, other: str) -> bool:
    """Return whether two words may be the same: shortened, misspelt or spelt by sound."""
    short, long = sorted((one[:_LONGEST], other[:_LONGEST]), key=len)
    if one == other:
        return True
    if len(short) < 3 or short.isdigit() or long.isdigit():
        return False
    if long.startswith(short) or (len(short) > 3 and short in long) or _is_contraction(short, long):
        return True
    allowed = 0 if len(short) < 4 else 1 if len(short) < 7 else 2
    return _distance(_sound(short), _sound(long)) <= allowed or _distance(short, long) <= allowed


def is_built_of(word: str, words: tuple[str, ...]) -> bool:
    """Return whether a word is built from the beginnings of others, in order, as "Transrota" is."""
    reached = {0}
    for part in words:
        reached |= {
            at + size
            for at in reached
            for size in range(_BEGINNING, len(part) + 1)
            if word[at : at + size] == part[:size]
        }
    return len(word) in reached


def _is_contraction(short: str, word: str) -> bool:
    if short[0] != word[0] or re.search("[AEIOU]", short[1:]):
        return False
    letters = iter(word)
    return all(letter in letters for letter in short)


def _sound(word: str) -> str:
    for written, heard in _SOUNDS:
        word = word.replace(written, heard)
    return re.sub(r"(.)\1+", r"\1", re.sub("(?<=[^LN])H|^H", "", word))


def _distance(one: str, other: str) -> int:
    """Return the edit distance; "?" is a lost letter and matches any."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        above, row = row, [i]
        for j, against in enumerate(other, 1):
            differ = letter != against and "?" not in (letter, against)
            row.append(min(row[-1] + 1, above[j] + 1, above[j - 1] + differ))
    return row[-1]
