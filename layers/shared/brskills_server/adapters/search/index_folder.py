"""The indexes of months in a folder that a function mounts: a file for each, named by its edition's id."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from brskills_server.adapters.search.faults import translate_errors
from brskills_server.adapters.search.finding import Found, find, find_near_words
from brskills_server.adapters.search.search_file import SearchFile
from brskills_server.registry.search.criteria import Criteria


def index_in(folder: Path, edition_id: str) -> Path:
    """Return the file of an edition's index."""
    return folder / f"{edition_id}.db"


class IndexFolder:
    """Searches in the indexes of a folder (``folder``); every method may raise ``StoreFault``.

    The last edition stays open: a file never changes after it has its name.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: SearchFile | None = None

    def find(self, edition_id: str, criteria: Criteria, after: str, limit: int) -> Found | None:
        """Return the first numbers behind ``after``; ``None`` without a readable index of this edition."""
        with translate_errors():
            index = self._open(edition_id)
            return find(index, criteria, after, limit) if index else None

    def near_words(self, edition_id: str, words: Sequence[str], limit: int) -> list[str]:
        """Return words that are one letter away from those of ``words`` that no name has."""
        with translate_errors():
            index = self._open(edition_id)
            return find_near_words(index, words, limit) if index else []

    def _open(self, edition_id: str) -> SearchFile | None:
        if self._opened is None or self._opened.id != edition_id:
            try:
                self._opened = SearchFile(index_in(self._folder, edition_id))
            except FileNotFoundError:
                return None
        index = self._opened
        return index if index.is_readable and index.id == edition_id else None
