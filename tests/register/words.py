"""What invented companies are called and where they are: plain words of ``words.json``, mixed at random.

A repeated word is likelier. Countries are codes of the project's own table.
"""

import json
from pathlib import Path

from brskills_server import registry

WORDS: dict[str, list[str]] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
_SYLLABLES = [consonant + vowel for consonant in "BCDFGLMNPRSTVZ" for vowel in "AEIOU"]
_INVENTED, _STEP = 5_000, 7_919  # a prime, so that neighbours do not begin alike
COMMON_MUNICIPALITIES = {"7107": "SP", "6001": "RJ", "9701": "DF"}


def invented_word(place: float) -> str:
    """Return one of some thousand words that mean nothing, the n-th about as often as 1/n (Zipf's law).

    ``place``: evenly distributed below 1.
    """
    number = int(_INVENTED**place) * _STEP
    return "".join(_SYLLABLES[number // len(_SYLLABLES) ** n % len(_SYLLABLES)] for n in range(3))


def codes(table: str) -> dict[str, str]:
    """Return the codes and texts of one of the project's own tables."""
    path = Path(registry.__file__).parent / "tables" / f"{table}.json"
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts
