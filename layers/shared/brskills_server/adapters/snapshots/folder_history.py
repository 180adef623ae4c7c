"""The register's history in a folder: a file for each month, beside the sub-folders of the months.

    data/receita/history/0f1e2d3c4b5a6978.db    the changes since the month before; named by the month's id

A file is named when it is complete and never changed after, so the folder may be read-only here too.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from brskills_server.adapters.snapshots.read_only_file import ReadOnlyFile
from brskills_server.registry.snapshot.history import Step, StepRows
from brskills_server.registry.store import StoreFault

HISTORY = "history"
"""The folder. A file in it is a month's without its rows: ``edition`` and ``changes``."""

_ID = re.compile(r"[0-9a-z]+(-[0-9]+)*")


class StepFile(ReadOnlyFile):
    """One month's changes. Raise as ``MonthFile``."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.step = Step.of(self.facts())

    def rows(self, cnpj: str) -> StepRows:
        """Return the rows of a company and of an establishment."""
        found = self.rows_of((cnpj[:8], cnpj))
        return StepRows(self.step, found.get(cnpj[:8], ""), found.get(cnpj, ""))

    def rows_of(self, keys: Collection[str]) -> dict[str, str]:
        """Return the rows of keys."""
        return self.bodies("changes", keys)


class FolderHistory:
    """``RegisterHistory`` in a folder (that of the months) that need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / HISTORY
        self._known: dict[str, StepFile] = {}

    def rows(self, cnpj: str, snapshot: str) -> list[StepRows]:
        """Read the file of each step; one that is missing ends the history."""
        with _faults():
            return [file.rows(cnpj) for file in self._files(snapshot)]

    def steps(self, snapshot: str) -> list[Step]:
        """Open the file of each step; one that is missing ends the history."""
        with _faults():
            return [file.step for file in self._files(snapshot)]

    def rows_of(self, step: Step, keys: Collection[str]) -> dict[str, str]:
        """Read the step's file by one statement."""
        with _faults():
            file = self._step(step.id)
            if file is None:
                raise StoreFault("a step that is gone")
            return file.rows_of(keys)

    def _files(self, snapshot: str) -> list[StepFile]:
        """Return the files of the steps to a snapshot, newest first, and forget others."""
        found: dict[str, StepFile] = {}
        while snapshot not in found and (file := self._step(snapshot)):
            found[snapshot] = file
            snapshot = file.step.since
        self._known = {name: file for name, file in self._known.items() if name in found}
        return list(found.values())

    def _step(self, snapshot: str) -> StepFile | None:
        known = self._known.get(snapshot)
        if known and known.is_there():
            return known
        self._known.pop(snapshot, None)
        if not _ID.fullmatch(snapshot):
            return None
        with suppress(FileNotFoundError, NotADirectoryError):
            return self._known.setdefault(snapshot, StepFile(self._folder / f"{snapshot}.db"))
        return None


@contextmanager
def _faults() -> Iterator[None]:
    """Raise ``StoreFault`` for files that cannot be read, ``ValueError`` for damaged ones."""
    try:
        yield
    except (OSError, sqlite3.OperationalError, KeyError) as failure:
        raise StoreFault(str(failure)) from failure
    except sqlite3.DatabaseError as damage:
        raise ValueError(str(damage)) from damage
