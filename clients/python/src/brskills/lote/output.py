"""The output: the table with its answers, as a CSV file that is written atomically."""

import csv
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from brskills.lote.cells import COLUMNS, masked
from brskills.lote.formulas import safe_row
from brskills.lote.journal import Answer
from brskills.lote.number import Reading
from brskills.lote.table import Table

OWN = ("cnpj_consultado", "resultado", "observacao")


def write_output(path: Path, table: Table, answers: Mapping[str, Answer], text: Callable[[str], str]) -> None:
    """Write the columns of the table and of the answers; replace the existing file atomically.

    It is UTF-8 with a byte order mark, which spreadsheets need. ``text`` returns the text of a remark.
    """
    unfinished = path.with_name(f"{path.name}.unfinished")
    with unfinished.open("w", encoding="utf-8-sig", errors="replace", newline="") as file:
        writer = csv.writer(file, delimiter=table.separator)
        writer.writerows(_rows(table, answers, text))
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def result_of(reading: Reading, answers: Mapping[str, Answer]) -> str:
    """Return a row's result: its answer's, ``numero_invalido`` or ``sem_resposta``."""
    if reading.number is None:
        return "numero_invalido"
    answer = answers.get(reading.number)
    return answer.result if answer else "sem_resposta"


def _rows(table: Table, answers: Mapping[str, Answer], text: Callable[[str], str]) -> Iterator[list[str]]:
    added = [_column(name, table.header) for name in (*OWN, *COLUMNS)]
    yield safe_row((*table.header, *added))
    for row, reading in zip(table.rows, table.numbers(), strict=True):
        answer, result = answers.get(reading.number or ""), result_of(reading, answers)
        remarks = [reading.remark, "not_answered" if result == "sem_resposta" else ""]
        own = [
            masked(reading.number) if reading.number else "",
            result,
            "; ".join(text(remark) for remark in remarks if remark),
        ]
        record = [answer.cells.get(name, "") if answer else "" for name in COLUMNS]
        yield safe_row((*row, *own, *record))


def _column(name: str, header: tuple[str, ...]) -> str:
    while name in header:
        name = f"brskills_{name}"
    return name
