"""What is new, gone or changed since the month before, counted while the new month is written.

Both months come sorted by key, so each row is looked at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from brskills_server.registry.snapshot.rows import BRANCH_FIELDS, FIELD, ROOT_FIELDS

__all__ = ["FATES", "ROOT_LENGTH", "Changes", "Row"]

Row = tuple[str, str]
"""The key of a root (8 characters) or an establishment (14), and its body; empty: it could not be read."""

ROOT_LENGTH = 8
FATES = ("new", "gone", "changed", "unreadable", "readable")
"""What can become of a row; ``unreadable`` and ``readable`` say what it was not the month before."""


class Changes:
    """Counts such as ``establishments.new`` and ``companies.fields.capital``. A field counts once a row.

    ``former``: the rows of the month before in the range of keys that will be told, sorted.
    """

    def __init__(self, former: Iterable[Row]) -> None:
        self.counts: Counter[str] = Counter()
        self._former: Iterator[Row] = iter(former)
        self._next = next(self._former, None)

    def tell(self, key: str, body: str) -> None:
        """One row of the new month; the keys rise."""
        while self._next and self._next[0] < key:
            self._count(self._next[0], "gone")
            self._next = next(self._former, None)
        if self._next and self._next[0] == key:
            if self._next[1] != body:
                self._tell_change(key, self._next[1], body)
            self._next = next(self._former, None)
        else:
            self._count(key, "new")

    def finish(self) -> None:
        """The range has come to its end."""
        while self._next:
            self._count(self._next[0], "gone")
            self._next = next(self._former, None)

    def _tell_change(self, key: str, before: str, after: str) -> None:
        if not before or not after:
            self._count(key, "readable" if after else "unreadable")
            return
        self._count(key, "changed")
        names = ROOT_FIELDS if len(key) == ROOT_LENGTH else BRANCH_FIELDS
        for name, old, new in zip(names, before.split(FIELD), after.split(FIELD), strict=True):
            if old != new:
                self._count(key, f"fields.{name}")

    def _count(self, key: str, what: str) -> None:
        self.counts[f"{'companies' if len(key) == ROOT_LENGTH else 'establishments'}.{what}"] += 1
