"""Counting rows that are new, gone or changed since the former snapshot, while the new one is written."""

from collections import Counter
from collections.abc import Iterable, Iterator

from brskills_server.registry.snapshot.rows import BRANCH_FIELDS, FIELD, ROOT_FIELDS

Row = tuple[str, str]
"""The key of a root (8 characters) or an establishment (14), and its body; empty: it could not be read."""

ROOT_LENGTH = 8
CHANGE_KINDS = ("new", "gone", "changed", "unreadable", "readable")
"""``unreadable`` and ``readable``: rows that were the opposite in the former snapshot."""


class Changes:
    """Counts such as ``establishments.new`` and ``companies.fields.capital`` (rows with another value).

    ``former``: the former snapshot's rows in the range of keys that `add` is called for, sorted.
    """

    def __init__(self, former: Iterable[Row]) -> None:
        self.counts: Counter[str] = Counter()
        self._former: Iterator[Row] = iter(former)
        self._next = next(self._former, None)

    def add(self, key: str, body: str) -> None:
        """Compare a row of the new snapshot; call it with rising keys."""
        self._count_gone(key)
        if self._next and self._next[0] == key:
            if self._next[1] != body:
                self._count_change(key, self._next[1], body)
            self._next = next(self._former, None)
        else:
            self._count(key, "new")

    def finish(self) -> None:
        """Count the former rows behind the last key."""
        self._count_gone(None)

    def _count_gone(self, upto: str | None) -> None:
        while self._next and (upto is None or self._next[0] < upto):
            self._count(self._next[0], "gone")
            self._next = next(self._former, None)

    def _count_change(self, key: str, before: str, after: str) -> None:
        if not before or not after:
            self._count(key, "readable" if after else "unreadable")
            return
        self._count(key, "changed")
        names = ROOT_FIELDS if len(key) == ROOT_LENGTH else BRANCH_FIELDS
        for name, old, new in zip(names, before.split(FIELD), after.split(FIELD), strict=True):
            if old != new:
                self._count(key, f"fields.{name}")

    def _count(self, key: str, name: str) -> None:
        self.counts[f"{'companies' if len(key) == ROOT_LENGTH else 'establishments'}.{name}"] += 1
