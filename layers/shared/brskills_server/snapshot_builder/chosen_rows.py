"""The rows that a snapshot's file has, of those that were joined: one for each key."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from brskills_server.registry.search.documents import ROOT_LENGTH

Row = tuple[str, str, str]
"""The key of a company (8 characters) or an establishment (14); its body, empty if the row is unreadable; and
the words by which it is found."""
JoinedRow = tuple[str, str | None, str]
"""The body of one that says nothing is `None`, which sorts last."""


def last_of_each(batches: Iterable[list[JoinedRow]], counts: Counter[str]) -> Iterator[Row]:
    """Yield the last row of each key: of the latest situação, and the greatest text among those.

    An empty one sorts first, and means that a row could not be read; that may have been the latest. One that
    says nothing yields to any other.
    """
    rows = chain.from_iterable(batches)
    held = next(rows, None)
    if not held:
        return
    for row in rows:
        if row[0] != held[0]:
            yield _chosen(held)
            held = row
        elif held[1] != "":
            if row[1] is None:
                counts["blank"] += 1
            else:
                counts["repeated" if row == held else "contradicted"] += 1
                held = row
    yield _chosen(held)


def _chosen(row: JoinedRow) -> Row:
    key, body, words = row
    return (key, body, words) if body else (key, "", "")


def count_rows(rows: Iterable[Row], counts: Counter[str]) -> Iterator[Row]:
    """Yield the rows, sorted; add their numbers to ``counts``, also of establishments without a company."""
    root, companies, establishments, orphans, unreadable = "-", 0, 0, 0, 0
    for row in rows:
        key = row[0]
        if len(key) == ROOT_LENGTH:
            root = key
            companies += 1
        else:
            establishments += 1
            if key[:ROOT_LENGTH] != root and row[1]:
                orphans += 1
        if not row[1]:
            unreadable += 1
        yield row
    counts.update(companies=companies, establishments=establishments, orphans=orphans, unreadable=unreadable)
