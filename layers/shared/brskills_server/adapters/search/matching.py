"""The words of a search as an expression of FTS5.

Source: https://www.sqlite.org/fts5.html#full_text_query_syntax. Every word is in quotes and has letters,
digits and ``_`` alone.
"""

import string
from collections.abc import Callable

from brskills_server.registry.search.documents import BEGINNING, POSTAL_CODE
from brskills_server.registry.search.query import ANY, WordQuery

MOST_WORDS = 100
"""A beginning of up to so many words is searched as these, which FTS5 reads as far as it needs to. Of others
it first reads everything."""

_CHARACTERS = string.digits + string.ascii_uppercase  # of a name's word

Beginning = Callable[[str, int], list[str]]
"""Returns the words that begin with a text, at most so many."""


def match_of(query: WordQuery, words_from: Beginning) -> str | None:
    """Return the expression; ``None`` where a clause cannot fit."""
    if not all(query.clauses):
        return None
    fitting = (
        _joined(" OR ", [_joined(" AND ", [_word(word, words_from) for word in words]) for words in clause])
        for clause in query.clauses
    )
    found = _joined(" AND ", [*fitting])
    if not query.excluded:
        return found
    excluded = _joined(" OR ", [f'"{word}"' for word in query.excluded])
    return f"{found} NOT {excluded}"


def _word(word: str, words_from: Beginning) -> str:
    if not word.endswith(ANY):
        return f'"{word}"'
    beginning = word.removesuffix(ANY)
    if len(beginning) < BEGINNING:
        found = [beginning, *(f"{beginning}{character}_" for character in _CHARACTERS)]
    elif beginning.startswith(POSTAL_CODE):  # the vocabulary has none
        found = []
    else:
        found = words_from(beginning, MOST_WORDS + 1)
    if not 0 < len(found) <= MOST_WORDS:
        return f'"{beginning}" *'
    return _joined(" OR ", [f'"{one}"' for one in found])


def _joined(operator: str, texts: list[str]) -> str:
    return f"({operator.join(texts)})" if len(texts) > 1 else "".join(texts)
