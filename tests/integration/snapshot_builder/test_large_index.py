"""An index of so many documents that FTS5 writes more parts than it can have at once."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.snapshot_builder import indexing
from brskills_server.snapshot_builder.indexed_words import Batch
from tests.integration.snapshot_builder.building import build, publish
from tests.register.company import companies

_DOCUMENTS = 4_100
"""All of Brazil has some 12,000 parts, and FTS5 takes 2,000."""


def test_parts_are_merged_before_they_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = build(tmp_path / "copy", publish(tmp_path / "in", companies(3, 5)).folder).parent
    monkeypatch.setattr(indexing, "_HASH_BYTES", range(1, 1))  # a part for each document
    monkeypatch.setattr(indexing, "_batches", _many)
    indexing.fill_index(folder, 1)
    indexing.pack_index(folder)
    with closing(sqlite3.connect(folder / SEARCH_FILE)) as connection:
        found = connection.execute("SELECT documents FROM vocabulary WHERE word = 'BAR'").fetchall()
    assert found == [(_DOCUMENTS,)]


def _many(_file: Path, _processes: int) -> Iterator[Batch]:
    numbers = "".join(f"{number:014}" for number in range(_DOCUMENTS))
    yield Batch(numbers, [f"BAR BAR{number}" for number in range(_DOCUMENTS)])
