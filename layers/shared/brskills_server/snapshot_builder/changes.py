"""Counting the rows that are new, gone or changed since the former snapshot."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from brskills_server.registry.snapshot.rows import BRANCH_FIELDS, FIELD, ROOT_FIELDS
from brskills_server.snapshot_builder.errors import SnapshotError

_ROOT_LENGTH = 8
CHANGE_KINDS = ("new", "gone", "changed", "unreadable", "readable")
"""``unreadable`` and ``readable``: rows that were the opposite in the former snapshot."""

_COMPARE = """
SELECT key, former.rows.body, main.rows.body FROM main.rows LEFT JOIN former.rows USING (key)
 WHERE key >= :first AND key < :upto AND main.rows.body IS NOT former.rows.body
UNION ALL
SELECT key, body, NULL FROM former.rows
 WHERE key >= :first AND key < :upto AND key NOT IN (SELECT key FROM main.rows)"""


class FormerSnapshot:
    """The file of the snapshot to compare with, attached to the connection of the one being built.

    Raises `SnapshotError` if it is damaged: `sqlite3.Error` would mean the build's own file.
    """

    def __init__(self, file: Path, connection: sqlite3.Connection) -> None:
        self._name = file.parent.name
        self._connection = connection
        with self._damage_reported():
            connection.execute("ATTACH ? AS former", [f"{file.absolute().as_uri()}?mode=ro&immutable=1"])
            connection.execute("SELECT 1 FROM former.rows").fetchone()

    def changes(self, first: str, upto: str) -> Counter[str]:
        """Return counts such as ``establishments.new`` and ``companies.fields.capital`` (another value).

        Compared are the rows with keys from ``first`` to before ``upto``.
        """
        counts: Counter[str] = Counter()
        with self._damage_reported():
            for row in self._connection.execute(_COMPARE, {"first": first, "upto": upto}):
                counts.update(_changes(*row))
        return counts

    @contextmanager
    def _damage_reported(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise SnapshotError(
                f"the snapshot in place, {self._name}, is damaged ({error}): put the one before in place"
                " (rollback), or delete it, and build again"
            ) from error


def _changes(key: str, before: str | None, after: str | None) -> Iterator[str]:
    """Yield the names of a row's counts. A body is `None` without a row, and empty if it was unreadable."""
    is_root = len(key) == _ROOT_LENGTH
    kind, names = ("companies", ROOT_FIELDS) if is_root else ("establishments", BRANCH_FIELDS)
    if before is None:
        yield f"{kind}.new"
    elif after is None:
        yield f"{kind}.gone"
    elif not before or not after:
        yield f"{kind}.{'readable' if after else 'unreadable'}"
    else:
        yield f"{kind}.changed"
        for name, old, new in zip(names, before.split(FIELD), after.split(FIELD), strict=True):
            if old != new:
                yield f"{kind}.fields.{name}"
