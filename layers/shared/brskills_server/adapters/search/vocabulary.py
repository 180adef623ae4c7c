"""The words that a month's index has, of names and of values (``search_file.SCHEMA``)."""

import json
from collections.abc import Collection

from brskills_server.adapters.search.search_file import Session
from brskills_server.registry.search.documents import OPENED
from brskills_server.registry.search.words import BEHIND_LETTERS

_OF_WORD = "SELECT documents FROM vocabulary WHERE word = ?"
_BEGINNING = "SELECT word FROM vocabulary WHERE word >= ? AND word < ? ORDER BY word LIMIT ?"
_VALUES = "SELECT word FROM vocabulary WHERE word >= ?"
_AMONG = """
SELECT word, documents FROM vocabulary WHERE word IN (SELECT value FROM json_each(?))
 ORDER BY documents DESC, word LIMIT ?"""


class Vocabulary:
    """The words of an index, read in ``session``. Raise as it does."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def values(self) -> list[str]:
        """Return the values' words."""
        return [word for (word,) in self._session.run(_VALUES, OPENED)]

    def documents_of(self, word: str) -> int | None:
        """Return how many documents have a word; ``None`` where it is not of the vocabulary."""
        found = self._session.run(_OF_WORD, word)
        return int(found[0][0]) if found else None

    def beginning(self, text: str, most: int) -> list[str]:
        """Return words of names that begin with a text, at most so many."""
        return [word for (word,) in self._session.run(_BEGINNING, text, text + BEHIND_LETTERS, most)]

    def among(self, words: Collection[str], most: int) -> list[str]:
        """Return those of some words that there are, the most frequent first, at most so many."""
        return [word for word, _ in self._session.run(_AMONG, json.dumps([*words]), most)]
