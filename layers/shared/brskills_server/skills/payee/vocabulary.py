"""Words of names, from ``words.json``: frequent ones of firms and people, abbreviations, and famous names."""

import json
from pathlib import Path

_LISTS = json.loads((Path(__file__).parent / "words.json").read_text(encoding="ascii"))


def _words(name: str) -> frozenset[str]:
    return frozenset(word for line in _LISTS[name] for word in line.split())


LINKS = _words("links")
FORMS = _words("forms")
"""Abbreviations of legal forms."""

NOTHING = _words("nothing")
"""Words that are written in place of a name."""

FILLERS = _words("fillers")
"""Those of ``SHARED`` that have no meaning."""

SHARED = FILLERS | _words("shared")
"""Words of a trade or a kind of firm: a name may lack them, and they prove nothing."""

VAGUE = FILLERS | _words("vague")
"""Those of ``SHARED`` that do not name what a firm sells."""

WEAK = _words("weak")
"""Parts of a name, as "Nova" and "Santa": a name may not lack them, and they prove nothing either."""

GIVEN = _words("given")
"""Frequent given names of Brazil."""

PEOPLE = GIVEN | _words("surnames")
"""Names of people; the lists are incomplete, and any other name counts as a firm's."""

NUMBERS: dict[str, str] = {
    word: number for number, ways in _LISTS["numbers"].items() for word in ways.split()
}
SHORT: dict[str, str] = _LISTS["short"]
"""Abbreviation → word."""

FAMOUS = tuple(_LISTS["famous"])
"""Well-known authorities, banks and firms, which have these names in the register too."""
