"""A search in one month's index: the numbers of companies, without their rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from brskills_server.adapters.search.matching import match_of
from brskills_server.adapters.search.search_file import SearchFile, Session
from brskills_server.adapters.search.vocabulary import Vocabulary
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.near import near_any
from brskills_server.registry.search.query import query_of
from brskills_server.registry.search.register_search import MOST_COUNTED, Page
from brskills_server.registry.search.words import BEHIND_NUMBERS
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany

_LISTED = 1_000
"""Ids that are read to know a total; those behind them are counted within SQLite, which is quicker."""
_MATCH = """
SELECT rowid FROM documents WHERE documents MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?"""
_COUNT = f"SELECT count(*) FROM ({_MATCH})"  # noqa: S608, of a constant


class Found(NamedTuple):
    """The numbers of a page in their order; the other members are those of ``register_search.Page``."""

    numbers: list[str]
    total: int
    is_exact: bool
    more: bool

    def page(self, edition: Edition, companies: list[SnapshotCompany]) -> Page:
        """Return the page with the companies of these numbers."""
        return Page(edition, companies, self.total, self.is_exact, self.more)


class Span(NamedTuple):
    """Ids from ``first`` up to ``end``, which is not of it."""

    first: int
    end: int


def find(index: SearchFile, criteria: Criteria, after: str, limit: int) -> Found:
    """Return the first numbers behind ``after``. Raise as ``Session``."""
    with index.session() as session:
        vocabulary = Vocabulary(session)
        match = match_of(query_of(criteria, vocabulary.values()), vocabulary)
        if match is None:
            return Found([], 0, True, False)
        spans = _spans(session, criteria.roots, index.documents)
        begin = session.id_from(after + BEHIND_NUMBERS, index.documents) if after else 1
        listed = list[int]()
        total = None if criteria.roots else vocabulary.documents_of(match[1:-1])  # of one word
        if total is None:
            listed, total = _counted(session, match, spans)
        ids = listed[bisect_left(listed, begin) :][: limit + 1]
        if len(ids) <= limit and len(listed) < total:
            ids = _matching(session, match, _behind(spans, begin), limit + 1)
        return Found(
            session.numbers_of(ids[:limit]),
            min(total, MOST_COUNTED),
            total <= MOST_COUNTED,
            len(ids) > limit,
        )


def find_near_words(index: SearchFile, words: Sequence[str], limit: int) -> list[str]:
    """Return words that are one letter away from those of ``words`` that no name has. Raise as `find`."""
    with index.session() as session:
        vocabulary = Vocabulary(session)
        missing = [word for word in words if word and not vocabulary.beginning(word, 1)]
        return vocabulary.among(near_any(missing), limit)


def _counted(session: Session, match: str, spans: list[Span]) -> tuple[list[int], int]:
    """Return the first ids that match, and how many there are, one more than `MOST_COUNTED` at most."""
    listed = _matching(session, match, spans, _LISTED)
    total = len(listed)
    for span in _behind(spans, listed[-1] + 1) if total == _LISTED else ():
        ((more,),) = session.run(_COUNT, match, *span, MOST_COUNTED + 1 - total)
        total += more
    return listed, total


def _matching(session: Session, match: str, spans: list[Span], limit: int) -> list[int]:
    """Return the first ids that match, in their order."""
    found: list[int] = []
    for span in spans:
        found += [one for (one,) in session.run(_MATCH, match, *span, limit - len(found))]
        if len(found) == limit:
            break
    return found


def _behind(spans: list[Span], begin: int) -> list[Span]:
    """Return what spans have from an id on."""
    return [Span(max(span.first, begin), span.end) for span in spans if span.end > begin]


def _spans(session: Session, roots: Sequence[str], documents: int) -> list[Span]:
    """Return the ids of the establishments of roots, or of all, in order."""
    if not roots:
        return [Span(1, documents + 1)]
    return [
        Span(session.id_from(root, documents), session.id_from(root + BEHIND_NUMBERS, documents))
        for root in sorted(set(roots))
    ]
