"""The index that is written with a snapshot's rows: of the same words, however it was written."""

import os
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.registry.search.documents import Documents, row_words
from brskills_server.snapshot_builder import indexing, machine
from brskills_server.snapshot_builder.indexing import IndexWriter
from brskills_server.snapshot_builder.packing import pack_index
from brskills_server.snapshot_builder.writer import SnapshotWriter
from tests.integration.snapshot_builder.building import build, publish
from tests.register.company import companies
from tests.register.files import Month

_DOCUMENTS = 4_100
"""All of Brazil has some 1,800 parts, and FTS5 takes 2,000."""

Content = tuple[dict[str, list[int]], str, list[tuple[str, int]]]
"""The ids of the documents of each word, all numbers, and the vocabulary."""


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Month:
    return publish(tmp_path_factory.mktemp("month") / "in", companies(3, 400, step=997))


def test_the_words_are_those_of_the_rows(tmp_path: Path, month: Month) -> None:
    file = build(tmp_path / "copy", month.folder)
    expected = defaultdict[str, list[int]](list)
    numbers = []
    for number, (key, words) in enumerate(_documents(file), 1):
        numbers.append(key)
        for word in {*words.lower().split()}:
            expected[word].append(number)
    found, joined, _ = _content(file.parent)
    assert len(expected) > 1_000
    assert found == expected
    assert joined == "".join(numbers)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "value"), [("_MOST_DOCUMENTS", 7), ("_MOST_LETTERS", 1_000)])
def test_an_index_is_the_same_in_statements_and_ranges_of_any_length(
    tmp_path: Path, month: Month, monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    expected = _content(build(tmp_path / "copy", month.folder).parent)
    monkeypatch.setattr(indexing, name, value)
    monkeypatch.setattr(machine, "_MOST_ROWS", 50)
    assert _content(build(tmp_path / "other", month.folder).parent) == expected


def test_what_an_index_lacks_is_made_of_the_file(tmp_path: Path, month: Month) -> None:
    file = build(tmp_path / "copy", month.folder)
    expected = _content(file.parent)
    _write_again(file)
    with closing(SnapshotWriter(file.parent, None)):
        pass  # as after a kill between the two commits, and later while the index was packed
    pack_index(file.parent)
    assert _content(file.parent) == expected


def _write_again(file: Path) -> None:
    """Write some ranges of a complete file's index, and then none."""
    (file.parent / SEARCH_FILE).unlink()
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT key, body FROM rows ORDER BY key").fetchall()
        ((edition_id,),) = connection.execute("SELECT value FROM edition WHERE name = 'id'")
    with closing(IndexWriter(file.parent, edition_id)) as writer:
        end = rows[len(rows) // 3][0][:8]
        with writer.range(end) as index:
            index.add((key, row_words(key, body)) for key, body in rows if key < end)


def test_parts_are_merged_before_they_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_MOST_DOCUMENTS", 1)
    with closing(IndexWriter(tmp_path, "id")) as writer:
        _add_companies(writer, _DOCUMENTS)
    pack_index(tmp_path)
    _, numbers, vocabulary = _content(tmp_path)
    assert len(numbers) == 14 * _DOCUMENTS
    assert ("BAR", _DOCUMENTS) in vocabulary


@pytest.mark.parametrize("documents", [10, 100_000])
def test_a_statement_that_fails_fails_its_range(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, documents: int
) -> None:
    """The next statement finds it, or the end of the range."""
    monkeypatch.setattr(indexing, "_MOST_DOCUMENTS", documents)
    monkeypatch.setattr(indexing, "SETTINGS", f"{indexing.SETTINGS}; PRAGMA max_page_count = 20")
    with closing(IndexWriter(tmp_path, "id")) as writer:
        with pytest.raises(sqlite3.OperationalError, match="full"):
            _add_companies(writer, 20_000)
        assert writer.end() == ""
        _add_companies(writer, 3)
    pack_index(tmp_path)
    assert len(_content(tmp_path)[1]) == 14 * 3


def test_the_thread_of_the_index_yields_to_others_and_is_not_starved_by_them(tmp_path: Path) -> None:
    here = os.getpriority(os.PRIO_PROCESS, 0)
    with closing(IndexWriter(tmp_path, "id")) as writer, writer.range("~") as index:
        there = index._thread.submit(os.getpriority, os.PRIO_PROCESS, 0).result()
        policy = index._thread.submit(os.sched_getscheduler, 0).result()
    assert (there, policy) == (min(here + 10, 19), os.SCHED_OTHER)
    assert os.getpriority(os.PRIO_PROCESS, 0) == here


def _add_companies(writer: IndexWriter, number: int) -> None:
    with writer.range("~") as index:
        for root in map("{:08}".format, range(number)):
            index.add([(root, f"BAR BAR{root}"), (f"{root}000100", "_S02")])


def _documents(file: Path) -> Iterator[tuple[str, str]]:
    made = Documents()
    with closing(sqlite3.connect(file)) as connection:
        for key, body in connection.execute("SELECT key, body FROM rows ORDER BY key"):
            if words := made.document(key, row_words(key, body)):
                yield key, words


def _content(folder: Path) -> Content:
    with closing(sqlite3.connect(folder / SEARCH_FILE)) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, documents, instance)")
        words = defaultdict[str, list[int]](list)
        for word, number in connection.execute("SELECT term, doc FROM words ORDER BY term, doc"):
            words[word].append(number)
        numbers = connection.execute("SELECT numbers FROM numbers ORDER BY block").fetchall()
        vocabulary = connection.execute("SELECT * FROM vocabulary ORDER BY word").fetchall()
    return words, "".join(zlib.decompress(block).decode() for (block,) in numbers), vocabulary
