"""Counting the rows that are new, gone or changed since the previous snapshot."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from brskills_server.adapters.snapshots.folder import connect
from brskills_server.registry.snapshot.rows import (
    COMPANY_FIELDS,
    ESTABLISHMENT_FIELDS,
    FIELD_SEPARATOR,
    row_values,
)
from brskills_server.snapshot_builder.errors import PreviousDamagedError, SnapshotError

_ROOT_LENGTH = 8
CHANGE_KINDS = ("new", "gone", "changed", "unreadable", "readable")
"""``unreadable``: became unreadable since the previous snapshot; ``readable``: became readable."""

_COMPARE = """
SELECT key, previous.rows.body, main.rows.body FROM main.rows LEFT JOIN previous.rows USING (key)
 WHERE key >= :first_key AND key < :end_key AND main.rows.body IS NOT previous.rows.body
UNION ALL
SELECT key, body, NULL FROM previous.rows
 WHERE key >= :first_key AND key < :end_key AND key NOT IN (SELECT key FROM main.rows)"""
_READ_PREVIOUS = "SELECT key, body FROM rows WHERE key >= ? AND key < ?"


class PreviousSnapshot:
    """The file of the snapshot to compare with, attached to the connection of the one being built.

    Methods raise `SnapshotError` if it is damaged or missing, and `sqlite3.Error` for the build's own file.
    """

    def __init__(self, file: Path, connection: sqlite3.Connection) -> None:
        self._file = file
        self._connection = connection
        with self._translate_errors("", ""):
            connection.execute("ATTACH ? AS previous", [f"{file.absolute().as_uri()}?mode=ro&immutable=1"])
            connection.execute("SELECT 1 FROM previous.rows").fetchone()

    def count_changes(self, first_key: str, end_key: str) -> Counter[str]:
        """Count the changed rows with ``first_key`` <= key < ``end_key``, by kind of row and of change.

        The names are such as ``establishments.new`` and ``companies.fields.capital`` (another value).
        """
        counts: Counter[str] = Counter()
        with self._translate_errors(first_key, end_key):
            for row in self._connection.execute(_COMPARE, {"first_key": first_key, "end_key": end_key}):
                counts.update(_changes(*row))
        return counts

    @contextmanager
    def _translate_errors(self, first_key: str, end_key: str) -> Iterator[None]:
        """Raise `SnapshotError` for an exception if the previous snapshot alone cannot be read either."""
        try:
            yield
        except (sqlite3.Error, ValueError):
            try:
                self._read_alone(first_key, end_key)
            except (sqlite3.Error, ValueError) as error:
                name = f"the snapshot in place, {self._file.parent.name}, is"
                if not self._file.exists():
                    raise SnapshotError(f"{name} missing: build again") from None
                raise PreviousDamagedError(
                    f"{name} damaged ({error}): put the one before in place (rollback), or build again with"
                    " --anew"
                ) from error
            raise

    def _read_alone(self, first_key: str, end_key: str) -> None:
        with closing(connect(self._file)) as connection:
            connection.text_factory = bytes.decode  # sqlite3's own exception would quote the row
            connection.execute("SELECT 1 FROM rows").fetchone()
            for key, body in connection.execute(_READ_PREVIOUS, (first_key, end_key)):
                if body:
                    _fields(key, body)


def _changes(key: str, before: str | None, after: str | None) -> Iterator[str]:
    """Yield the counters that a row increments. A body is `None` without a row, and empty if unreadable."""
    kind = "companies" if len(key) == _ROOT_LENGTH else "establishments"
    if before is None:
        yield f"{kind}.new"
    elif after is None:
        yield f"{kind}.gone"
    elif not before or not after:
        yield f"{kind}.{'readable' if after else 'unreadable'}"
    elif not after.startswith(f"{before}{FIELD_SEPARATOR}"):  # else the one before has an earlier format
        yield f"{kind}.changed"
        old, new = _fields(key, before), _fields(key, after)
        if kind == "companies":
            yield from (f"companies.lost.{name}" for name in _lost(old, new))
        yield from (f"{kind}.fields.{name}" for name in old if old[name] != new[name])


def _lost(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    """Yield what a company had and has no more: every partner, or an option."""
    if old["partners"] and not new["partners"]:
        yield "partners"
    yield from (name for name in ("simples", "mei") if old[name] == "S" != new[name])


def _fields(key: str, body: object) -> dict[str, str]:
    """Return the fields of a row by name, without those that its format lacks. Raise `ValueError`."""
    names = COMPANY_FIELDS if len(key) == _ROOT_LENGTH else ESTABLISHMENT_FIELDS
    return dict(zip(names, row_values(names, body if isinstance(body, str) else ""), strict=False))
