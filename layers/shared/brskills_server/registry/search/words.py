"""The words of a name, in the one form in which they are indexed and searched for.

>>> fold("Padaria São João & Cia. Ltda")
('PADARIA', 'SAO', 'JOAO', 'E', 'CIA', 'LTDA')
>>> fold("COMPANHIA PAULISTA S/A") == fold("Cia Paulista S. A.")
True
"""

import re
import unicodedata
from functools import lru_cache

MIN_PREFIX = 3
"""A searched word of so many letters also fits the beginning of a word; a shorter one whole words only."""
LONGEST = 40
"""Letters of a word; the others of a longer one are ignored."""
BEHIND_LETTERS, BEHIND_NUMBERS = "[", "~"
"""What sorts behind ``Z`` and so behind any letter of a name's word, and behind any of a number."""

JOINT_STOCK = "SA"

_FORMS = {"LIMITADA": "LTDA", "COMPANHIA": "CIA"}
_WORDS = re.compile(rf"([A-Z0-9]{{1,{LONGEST}}})[A-Z0-9]*").findall
_MASKED = re.compile(r"\*+[0-9]+\*+").sub
_IS_JOINT_STOCK = re.compile(r"[^A-Z0-9]*S[./]A\.?[^A-Z0-9]*").fullmatch


def fold(text: str) -> tuple[str, ...]:
    """Return the words of a text in their order: upper case, without accents, of ``A`` to ``Z`` and digits.

    Anything else separates words, and what is left of a masked CPF is none. Legal forms are abbreviated:
    ``LTDA``, ``CIA`` and, for ``S/A``, ``S.A.`` and a final ``S A``, ``SA``; ``&`` is ``E``.
    """
    words: tuple[str, ...] = ()
    for part in text.split():
        words += _fold_short(part) if len(part) <= LONGEST else fold_part(part)
    return (*words[:-2], JOINT_STOCK) if words[-2:] == ("S", "A") else words


def fold_part(part: str) -> tuple[str, ...]:
    """Return the words of a text without white space, of which ``S`` and a final ``A`` are two."""
    if not part.isascii():
        part = "".join(c for c in unicodedata.normalize("NFKD", part) if not unicodedata.combining(c))
    part = part.upper().replace("&", " E ")
    if _IS_JOINT_STOCK(part):
        return (JOINT_STOCK,)
    return tuple(_FORMS.get(word, word) for word in _WORDS(_MASKED(" ", part)))


_fold_short = lru_cache(maxsize=100_000)(fold_part)
