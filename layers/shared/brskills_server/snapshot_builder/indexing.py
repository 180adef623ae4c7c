"""The search index of a snapshot (``adapters.search.search_file``), written with its rows."""

from __future__ import annotations

import os
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from brskills_server.adapters.search.search_file import BLOCK, FORMAT, NUMBER_LENGTH, SCHEMA, SEARCH_FILE
from brskills_server.registry.search.documents import Documents

GROWING = f"{SEARCH_FILE}.growing"
_MOST_DOCUMENTS, _MOST_LETTERS = 40_000, 10 * 1024**2
"""Of a statement. FTS5 writes a segment at its end; more documents in one are slower, for what it has
collected is in no cache of a processor."""
_FTS = {"automerge": 0, "crisismerge": 1900, "hashsize": 32 * 1024**2}
"""FTS5 merges its segments when the index is packed, and before only where they are more than those of all of
Brazil: that takes a third of the time of the collecting, and it fails with 2,000 of any age."""
_BLOCK_LENGTH = BLOCK * NUMBER_LENGTH
SETTINGS = "PRAGMA synchronous = OFF; PRAGMA cache_size = -65536"
_INSERT = "INSERT INTO documents (rowid, words) SELECT ? + key, value FROM json_each(?)"
_INSERT_NUMBERS = "INSERT OR REPLACE INTO numbers VALUES (?, ?)"


def _run_behind_others() -> None:
    """Let others go first (Linux): with two processors, the join would wait for this thread.

    It has a tenth of a processor that is wanted by others; an idle thread's share would be nearly none, and
    a build would not end beside a busy server.
    """
    if sys.platform == "linux":  # where it is of a thread alone
        os.nice(10)


class IndexWriter:
    """The index in ``folder`` of the snapshot that is written there, of which ``edition_id`` is the id.

    Methods raise `sqlite3.Error`.
    """

    def __init__(self, folder: Path, edition_id: str) -> None:
        self._id = edition_id
        complete = folder / SEARCH_FILE
        file = complete if complete.exists() else folder / GROWING
        self._connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        try:
            self._connection.executescript(SETTINGS)
            if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                self._create()
        except sqlite3.Error:
            self.close()
            raise

    def _create(self) -> None:
        self._connection.executescript(f"BEGIN; {SCHEMA} COMMIT")
        for name, value in _FTS.items():
            self._connection.execute("INSERT INTO documents (documents, rank) VALUES (?, ?)", [name, value])

    def end(self) -> str:
        """Return the key up to which the index is written; empty at first."""
        return self._facts().get("end_key", "")

    @contextmanager
    def range(self, end_key: str) -> Iterator[RangeIndex]:
        """Add the documents of a range, all or none."""
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            with ThreadPoolExecutor(1, initializer=_run_behind_others) as thread:
                of_range = RangeIndex(self._connection, int(self._facts().get("documents", 0)), thread)
                yield of_range
                total = of_range.end()
            facts = {"format": FORMAT, "id": self._id, "documents": total, "end_key": end_key}
            self._connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _facts(self) -> dict[str, str]:
        return dict(self._connection.execute("SELECT name, value FROM facts"))


class RangeIndex:
    """What is added to an index in one transaction. ``total``: the documents before it.

    ``thread``: where FTS5 collects documents while the next ones are gathered; only it uses the connection
    meanwhile.
    """

    def __init__(self, connection: sqlite3.Connection, total: int, thread: Executor) -> None:
        self._connection = connection
        self._total = total
        self._thread = thread
        self._writing: Future[None] | None = None
        self._numbers = [self._last_numbers()]
        self._documents = Documents()
        self._words: list[str] = []
        self._letters = 0

    def add(self, rows: Iterable[tuple[str, str]]) -> None:
        """Add the documents of rows: of their keys, sorted, and words."""
        for key, words in rows:
            if document := self._documents.document(key, words):
                self._numbers.append(key)
                self._words.append(document)
                self._letters += len(document)
                if len(self._words) == _MOST_DOCUMENTS or self._letters > _MOST_LETTERS:
                    self._write()

    def end(self) -> int:
        """Write what is left. Return the number of documents of all ranges."""
        self._write()
        self._wait()
        return self._total

    def _wait(self) -> None:
        if self._writing:
            self._writing.result()

    def _write(self) -> None:
        if not self._words:
            return
        self._wait()
        numbers = "".join(self._numbers)
        self._writing = self._thread.submit(self._write_documents, self._total, self._words, numbers)
        self._numbers = [numbers[len(numbers) // _BLOCK_LENGTH * _BLOCK_LENGTH :]]
        self._total += len(self._words)
        self._words, self._letters = [], 0

    def _write_documents(self, total: int, documents: list[str], numbers: str) -> None:
        words = '["' + '","'.join(documents) + '"]'  # of letters, digits, _ and blanks alone
        self._connection.execute(_INSERT, [total + 1, words])
        blocks = (numbers[at : at + _BLOCK_LENGTH] for at in range(0, len(numbers), _BLOCK_LENGTH))
        packed = (zlib.compress(block.encode("ascii"), 1) for block in blocks)
        self._connection.executemany(_INSERT_NUMBERS, enumerate(packed, total // BLOCK))

    def _last_numbers(self) -> str:
        """Return the numbers of the last block, if it has room for others."""
        statement = "SELECT numbers FROM numbers WHERE block = ?"
        found = self._connection.execute(statement, [self._total // BLOCK]).fetchone()
        return zlib.decompress(found[0]).decode("ascii") if found else ""
