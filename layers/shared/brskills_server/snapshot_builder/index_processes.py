"""Indexing while rows are joined and written, by two processes: Python's threads share one processor."""

import multiprocessing
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

from brskills_server.registry.search.documents import Documents
from brskills_server.snapshot_builder.indexing import GrowingIndex, prepare

_ENDED = None
"""Sent behind all rows, and behind all documents; without it, who receives them ends and keeps nothing."""


class IndexProcesses:
    """A `indexing.GrowingIndex` that one process prepares documents for and another one writes.

    Methods raise what those raise, and `MemoryError` if one of them was killed, which is what Linux does
    where memory is short. The processes end with this one.
    """

    def __init__(self, folder: Path) -> None:
        context = multiprocessing.get_context("spawn")
        rows, self._rows = context.Pipe(duplex=False)
        documents, prepared = context.Pipe(duplex=False)
        self._outcome, outcome = context.Pipe(duplex=False)
        self._processes = [
            context.Process(target=_prepare, args=(rows, prepared, outcome), daemon=True),
            context.Process(target=_write, args=(folder, documents, outcome), daemon=True),
        ]
        for process in self._processes:
            process.start()
        for theirs in (rows, documents, prepared, outcome):
            theirs.close()

    def add(self, rows: list[tuple[str, str]]) -> None:
        """Index the documents of rows, which follow those before; wait where these are not yet indexed."""
        with self._failures():
            self._rows.send(rows)

    def finish(self) -> None:
        """Wait until all documents that were added are kept."""
        with self._failures():
            self._rows.send(_ENDED)
        self._raise_outcome()

    def close(self) -> None:
        """End the processes."""
        self._rows.close()
        self._outcome.close()
        for process in self._processes:
            process.join()

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except OSError:  # nobody receives rows any more
            self._raise_outcome()
            raise

    def _raise_outcome(self) -> None:
        """Wait for the end of the processes. Raise what one of them raised."""
        try:
            error = self._outcome.recv()
        except EOFError:
            raise MemoryError from None
        if error:
            raise error


def _prepare(rows: Connection, prepared: Connection, outcome: Connection) -> None:
    with _sending_failures(outcome):
        documents = Documents()
        for batch in iter(rows.recv, _ENDED):
            prepared.send(prepare(documents, batch))
        prepared.send(_ENDED)


def _write(folder: Path, prepared: Connection, outcome: Connection) -> None:
    with _sending_failures(outcome), closing(GrowingIndex(folder)) as index:
        for batch in iter(prepared.recv, _ENDED):
            index.add_prepared(batch)
        index.finish()
        outcome.send(None)


@contextmanager
def _sending_failures(outcome: Connection) -> Iterator[None]:
    """Send the exception that ends a process, unless it ends since another one has."""
    with suppress(EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        try:
            yield
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:
            outcome.send(error)
