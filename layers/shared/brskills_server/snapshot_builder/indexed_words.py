"""The documents of a search index, prepared range by range of a snapshot's file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from brskills_server.adapters.snapshots.read_only_file import connect
from brskills_server.registry.search.documents import documents
from brskills_server.registry.search.words import BEHIND_NUMBERS

_PREFIX_LENGTH = 4
"""Of the numbers of a range: at most 10,000 roots of digits, some 12,000 establishments and 5 MB."""
_BATCH_LENGTH = 8 * 1024**2
"""Characters of documents that are prepared at once; a prefix of an odd register may have any number."""
_PREFIXES = """
WITH RECURSIVE found (prefix) AS (
  SELECT substr(min(key), 1, :length) FROM rows UNION ALL
  SELECT (SELECT substr(min(key), 1, :length) FROM rows WHERE key > prefix || :behind)
    FROM found WHERE prefix IS NOT NULL)
SELECT prefix FROM found WHERE prefix IS NOT NULL"""
_ROWS = "SELECT key, body FROM rows WHERE key >= ? AND key < ? ORDER BY key"


class Range(NamedTuple):
    """The numbers of a snapshot's file that begin with ``prefix``."""

    file: Path
    prefix: str


class Batch(NamedTuple):
    """Documents of a range, all of them unless they are many. ``numbers``: joined."""

    numbers: str
    words: list[str]


def ranges_of(file: Path) -> list[Range]:
    """Return the ranges of a file in their order. Raise `sqlite3.Error`."""
    with closing(connect(file)) as source:
        found = source.execute(_PREFIXES, {"length": _PREFIX_LENGTH, "behind": BEHIND_NUMBERS})
        return [Range(file, prefix) for (prefix,) in found]


def prepare(one: Range) -> Iterator[Batch]:
    """Yield the documents of a range. Raise `sqlite3.Error`, and `ValueError` for malformed rows."""
    numbers, words, length = list[str](), list[str](), 0
    with closing(connect(one.file)) as source:
        rows = source.execute(_ROWS, [one.prefix, one.prefix + BEHIND_NUMBERS])
        for number, of_number in documents(rows):
            numbers.append(number)
            words.append(of_number)
            length += len(of_number)
            if length >= _BATCH_LENGTH:
                yield Batch("".join(numbers), words)
                numbers, words, length = [], [], 0
    yield Batch("".join(numbers), words)
