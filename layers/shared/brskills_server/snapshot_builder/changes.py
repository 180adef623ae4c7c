"""Counting and logging the rows that are new, gone or changed since the previous snapshot."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from brskills_server.adapters.snapshots.read_only_file import connect
from brskills_server.registry.search.documents import ROOT_LENGTH
from brskills_server.registry.snapshot.changes import GONE, NEW, write_changes
from brskills_server.registry.snapshot.rows import (
    COMPANY_FIELDS,
    ESTABLISHMENT_FIELDS,
    row_values,
)
from brskills_server.snapshot_builder.errors import PreviousDamagedError, SnapshotError

CHANGE_KINDS = ("new", "gone", "changed", "unreadable", "readable")
"""``unreadable``: became unreadable since the previous snapshot; ``readable``: became readable."""

_RANGE = "WHERE key >= :first_key AND key < :end_key"
_COMPARE = f"""
SELECT key, (SELECT body FROM previous.rows WHERE key = changed.key), body FROM (
  SELECT key, body FROM main.rows {_RANGE}
  EXCEPT SELECT key, body FROM previous.rows {_RANGE} ORDER BY key, body) AS changed
UNION ALL
SELECT key, (SELECT body FROM previous.rows WHERE key = gone.key), NULL FROM (
  SELECT key FROM previous.rows {_RANGE} EXCEPT SELECT key FROM main.rows {_RANGE} ORDER BY key) AS gone"""  # noqa: S608, no part is from outside
"""Ordered by key, both files are read side by side: half the time of looking each key up."""
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
            facts = dict(connection.execute("SELECT name, value FROM previous.edition"))
        self.facts = {"since": facts["id"], "since_day": facts["day"]}
        """Its id and its day, as the new edition has them."""

    def log_changes(self, first_key: str, end_key: str) -> Counter[str]:
        """Log the changed rows with ``first_key`` <= key < ``end_key``. Count them by kind.

        The names are such as ``establishments.new`` and ``companies.fields.capital`` (another value).
        """
        counts: Counter[str] = Counter()
        with self._translate_errors(first_key, end_key):
            self._connection.executemany(
                "INSERT INTO main.changes VALUES (?, ?)", self._changes(first_key, end_key, counts)
            )
        return counts

    def _changes(self, first_key: str, end_key: str, counts: Counter[str]) -> Iterator[tuple[str, str]]:
        keys = {"first_key": first_key, "end_key": end_key}
        for key, before, after in self._connection.execute(_COMPARE, keys):
            change = _Change(key, before, after)
            counts.update(change.counters())
            if logged := change.logged():
                yield key, logged

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


class _Change:
    """A row before and after: ``None`` without a row, and empty if it is unreadable. Raise ``ValueError``."""

    def __init__(self, key: str, before: str | None, after: str | None) -> None:
        self._is_company = len(key) == ROOT_LENGTH
        self._before, self._after = before, after
        self._old, self._new = (_fields(key, body) if before and after else {} for body in (before, after))

    def counters(self) -> Iterator[str]:
        """Yield the counters that it increments."""
        kind = "companies" if self._is_company else "establishments"
        if self._before is None:
            yield f"{kind}.new"
        elif self._after is None:
            yield f"{kind}.gone"
        elif not self._old:
            yield f"{kind}.{'readable' if self._after else 'unreadable'}"
        elif changed := [name for name, old in self._old.items() if self._new[name] != old]:
            yield f"{kind}.changed"
            if self._is_company:
                yield from (f"companies.lost.{name}" for name in _lost(self._old, self._new))
            yield from (f"{kind}.fields.{name}" for name in changed)

    def logged(self) -> str:
        """Return its row in the log; empty without one.

        A company is not logged as new or gone: its establishments are.
        """
        if self._before is None or self._after is None:
            mark = NEW if self._before is None else GONE
            return "" if self._is_company else mark
        return write_changes(self._old, self._new)


def _lost(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    """Yield what a company had and has no more: every partner, or an option."""
    if old["partners"] and not new["partners"]:
        yield "partners"
    yield from (name for name in ("simples", "mei") if old[name] == "S" != new[name])


def _fields(key: str, body: object) -> dict[str, str]:
    """Return the fields of a row by name. Raise `ValueError`."""
    names = COMPANY_FIELDS if len(key) == ROOT_LENGTH else ESTABLISHMENT_FIELDS
    return dict(zip(names, row_values(names, body if isinstance(body, str) else ""), strict=True))
