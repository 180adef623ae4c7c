"""The search in the snapshot's folder (``adapters.snapshots.folder``): in the current month's index."""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from brskills_server.adapters.search.editions import choose
from brskills_server.adapters.search.matching import match_of
from brskills_server.adapters.search.search_file import SearchFile, Session, identity_in
from brskills_server.adapters.snapshots.folder import kept_names
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.near import near
from brskills_server.registry.search.query import query_of
from brskills_server.registry.search.register_search import MOST_COUNTED, Page
from brskills_server.registry.search.words import BEHIND_LETTERS, BEHIND_NUMBERS
from brskills_server.registry.snapshot.rows import SnapshotCompany
from brskills_server.registry.store import StoreFault

_MATCH = """
SELECT rowid FROM documents WHERE documents MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?"""
_WORDS = "SELECT word FROM vocabulary WHERE word >= ? AND word < ? ORDER BY word LIMIT ?"
_VALUES = "SELECT word FROM vocabulary WHERE word >= ?"
_NEAR = """
SELECT word, documents FROM vocabulary WHERE word IN (SELECT value FROM json_each(?))
 ORDER BY documents DESC, word LIMIT ?"""
_ROWS = "SELECT key, body FROM month.rows WHERE key IN (SELECT value FROM json_each(?))"


class Span(NamedTuple):
    """Ids from ``first`` up to ``end``, which is not of it."""

    first: int
    end: int


class FolderSearch:
    """A ``RegisterSearch`` in a folder (``folder``) that need not exist yet.

    The current month's name is read for each search, which takes some microseconds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: dict[str, SearchFile] = {}

    def search(self, criteria: Criteria, after: str, limit: int, edition_id: str = "") -> Page | None:
        """Return the first companies behind ``after``, of ``edition_id`` or the current month."""
        with _translate_errors():
            month = self._month(edition_id)
            if month is None:
                return None
            with month.session() as session:
                return _search(month, session, criteria, after, limit)

    def near_words(self, words: Sequence[str], limit: int = 5) -> list[str]:
        """Return words that are one letter away from those of ``words`` that no name has."""
        with _translate_errors():
            month = self._month("")
            if month is None:
                return []
            with month.session() as session:
                missing = [word for word in words if word and not _words_from(session, word, 1)]
                candidates = set[str]().union(*map(near, missing))
                return [word for word, _ in session.run(_NEAR, json.dumps([*candidates]), limit)]

    def _month(self, edition_id: str) -> SearchFile | None:
        """Return the current month's index, if it has one, or that of a kept edition. Raise `EditionGone`."""
        return choose([self._open(name) for name in kept_names(self._folder)], edition_id)

    def _open(self, name: str) -> SearchFile | None:
        """Return the index of a month; ``None`` where it has none, or that of another."""
        folder = self._folder / name
        try:
            identity = identity_in(folder)
        except FileNotFoundError:
            return None
        known = self._opened.get(name)
        if known is None or known.identity != identity:
            known = SearchFile(folder)
            kept = kept_names(self._folder)
            self._opened = {one: file for one, file in self._opened.items() if one in kept} | {name: known}
        return known if known.is_of_month else None


def _search(month: SearchFile, session: Session, criteria: Criteria, after: str, limit: int) -> Page:
    known = [word for (word,) in session.run(_VALUES, BEHIND_LETTERS)]
    match = match_of(query_of(criteria, known), lambda text, most: _words_from(session, text, most))
    spans = _spans(session, criteria.roots, month.documents)
    counted = _matching(session, match, spans, MOST_COUNTED + 1)
    begin = session.id_from(after + BEHIND_NUMBERS, month.documents) if after else 1
    ids = counted[bisect_left(counted, begin) :][: limit + 1]
    if len(ids) <= limit and len(counted) > MOST_COUNTED:
        behind = [Span(max(span.first, begin), span.end) for span in spans if span.end > begin]
        ids = _matching(session, match, behind, limit + 1)
    return Page(
        month.edition,
        _companies(month, session, ids[:limit]),
        min(len(counted), MOST_COUNTED),
        len(counted) <= MOST_COUNTED,
        len(ids) > limit,
    )


def _matching(session: Session, match: str | None, spans: list[Span], limit: int) -> list[int]:
    """Return the first ids that match, in their order."""
    found: list[int] = []
    for span in spans if match else ():
        found += [one for (one,) in session.run(_MATCH, match or "", *span, limit - len(found))]
        if len(found) == limit:
            break
    return found


def _spans(session: Session, roots: Sequence[str], documents: int) -> list[Span]:
    """Return the ids of the establishments of roots, or of all, in order."""
    if not roots:
        return [Span(1, documents + 1)]
    return [
        Span(session.id_from(root, documents), session.id_from(root + BEHIND_NUMBERS, documents))
        for root in sorted(set(roots))
    ]


def _words_from(session: Session, beginning: str, most: int) -> list[str]:
    found = session.run(_WORDS, beginning, beginning + BEHIND_LETTERS, most)
    return [word for (word,) in found]


def _companies(month: SearchFile, session: Session, ids: Sequence[int]) -> list[SnapshotCompany]:
    """Return the rows of documents. Raise ``ValueError`` where the month does not have them."""
    numbers = session.numbers_of(ids)
    keys = {*numbers, *(number[:8] for number in numbers)}
    bodies = dict(session.run(_ROWS, json.dumps([*keys])))
    if bodies.keys() != keys:
        raise ValueError("an index of companies that the month does not have")
    return [SnapshotCompany(one, bodies[one], bodies[one[:8]], month.edition) for one in numbers]


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, ValueError, KeyError) as error:
        raise StoreFault(f"the search: {error}") from error
