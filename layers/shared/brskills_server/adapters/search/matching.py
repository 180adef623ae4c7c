"""The words of a search as an expression of FTS5.

Source: https://www.sqlite.org/fts5.html#full_text_query_syntax. Every word is in quotes and has letters,
digits and ``_`` alone.
"""

from collections.abc import Callable, Iterable

from brskills_server.registry.search.query import ANY, WordQuery

MOST_WORDS = 100
"""A beginning of up to so many words is searched as these, which FTS5 reads as far as it needs to. Of others
it first reads everything."""

Beginning = Callable[[str, int], list[str]]
"""Returns the words that begin with a text, at most so many."""


def match_of(query: WordQuery, words_from: Beginning) -> str | None:
    """Return the expression; ``None`` where a clause cannot fit."""
    texts = []
    for clause in query.clauses:
        alternatives = [text for words in clause if (text := _all(words, words_from))]
        if not alternatives:
            return None
        texts.append(_joined(" OR ", alternatives))
    found = _joined(" AND ", texts)
    if not query.excluded:
        return found
    excluded = _joined(" OR ", [f'"{word}"' for word in query.excluded])
    return f"{found} NOT {excluded}"


def _all(words: Iterable[str], words_from: Beginning) -> str:
    """Return the expression of words that must all be there; empty where no document has one of them."""
    texts = [_word(word, words_from) for word in words]
    return _joined(" AND ", texts) if all(texts) else ""


def _word(word: str, words_from: Beginning) -> str:
    if not word.endswith(ANY):
        return f'"{word}"'
    beginning = word.removesuffix(ANY)
    found = words_from(beginning, MOST_WORDS + 1)
    if len(found) > MOST_WORDS:
        return f'"{beginning}" *'
    return _joined(" OR ", [f'"{one}"' for one in found])


def _joined(operator: str, texts: list[str]) -> str:
    return f"({operator.join(texts)})" if len(texts) > 1 else "".join(texts)
