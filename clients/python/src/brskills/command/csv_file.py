"""CSV for spreadsheets in Portuguese, on standard output or in a file."""

import csv
import os
from collections.abc import Iterable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from brskills.command.errors import Misuse
from brskills.command.shell import Shell
from brskills.lote.formulas import safe_row

_SEPARATOR = ";"  # as these spreadsheets expect


@dataclass(frozen=True, slots=True)
class Output:
    """The file to write, or standard output. ``replaces``: the file may exist."""

    file: Path | None
    replaces: bool

    def check(self, shell: Shell) -> None:
        """Raise `Misuse` for a file that must not be replaced."""
        if self.file and self.file.exists() and not self.replaces:
            raise Misuse(shell.text("output_exists", path=self.file))


def csv_line(cells: Iterable[str]) -> str:
    """Return a row; a cell has no line end."""
    line = StringIO()
    csv.writer(line, delimiter=_SEPARATOR, lineterminator="").writerow(safe_row(cells))
    return line.getvalue().replace("\n", " ")


def write_file(file: Path, text: str) -> None:
    """Replace the file atomically, in UTF-8 with the byte order mark that spreadsheets need."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    with unfinished.open("w", encoding="utf-8-sig", errors="replace", newline="") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    unfinished.replace(file)
