"""The words of a search as an expression of FTS5.

Source: https://www.sqlite.org/fts5.html#full_text_query_syntax. Every word is in quotes and has letters,
digits and ``_`` alone.
"""

import string

from brskills_server.adapters.search.vocabulary import Vocabulary
from brskills_server.registry.search.documents import BEGINNING, POSTAL_CODE
from brskills_server.registry.search.query import ANY, WordQuery

MOST_WORDS = 100
"""A beginning of up to so many words is searched as these, which FTS5 reads as far as it needs to. Of others
it first reads everything."""

_CHARACTERS = string.digits + string.ascii_uppercase  # of a name's word


def match_of(query: WordQuery, vocabulary: Vocabulary) -> str | None:
    """Return the expression; ``None`` where a clause cannot fit."""
    texts = []
    for clause in query.clauses:
        alternatives = [text for words in clause if (text := _all(words, vocabulary))]
        if not alternatives:
            return None
        texts.append(_joined(" OR ", alternatives))
    found = _joined(" AND ", texts)
    if not query.excluded:
        return found
    excluded = _joined(" OR ", [f'"{word}"' for word in query.excluded])
    return f"{found} NOT {excluded}"


def _all(words: tuple[str, ...], vocabulary: Vocabulary) -> str:
    """Return the expression of words that must all be there; empty where no document has one of them."""
    texts = []
    for word in words:
        if not (text := _word(word, vocabulary)):
            return ""
        texts.append(text)
    return _joined(" AND ", texts)


def _word(word: str, vocabulary: Vocabulary) -> str:
    if not word.endswith(ANY):
        return f'"{word}"'
    beginning = word.removesuffix(ANY)
    if beginning.startswith(POSTAL_CODE):  # the vocabulary has none
        return f'"{beginning}" *'
    if len(beginning) < BEGINNING:
        longer = (f"{beginning}{character}_" for character in _CHARACTERS)
        found = vocabulary.among([beginning, *longer], MOST_WORDS)
    else:
        found = vocabulary.beginning(beginning, MOST_WORDS + 1)
    if len(found) > MOST_WORDS:
        return f'"{beginning}" *'
    return _joined(" OR ", [f'"{one}"' for one in found])


def _joined(operator: str, texts: list[str]) -> str:
    return f"({operator.join(texts)})" if len(texts) > 1 else "".join(texts)
