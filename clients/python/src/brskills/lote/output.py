"""The output: the table with its answers, as a CSV file that is written atomically."""

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from brskills.command.language import Texts
from brskills.lote.formulas import safe_row
from brskills.lote.journal import Answer
from brskills.lote.kind import Item, Kind
from brskills.lote.table import Table


def records(
    kind: Kind, items: Sequence[Item], answers: Mapping[str, Answer], text: Texts
) -> list[dict[str, str]]:
    """Return the added cells of each row, by column."""
    return [_record(kind, item, answers.get(item.key or ""), text) for item in items]


def write_output(
    path: Path, table: Table, columns: Sequence[str], added: Sequence[Mapping[str, str]]
) -> None:
    """Write the columns of the table and the added ones; replace the existing file atomically.

    It is UTF-8 with a byte order mark, which spreadsheets need.
    """
    unfinished = path.with_name(f"{path.name}.unfinished")
    with unfinished.open("w", encoding="utf-8-sig", errors="replace", newline="") as file:
        writer = csv.writer(file, delimiter=table.separator)
        writer.writerows(_rows(table, columns, added))
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def _record(kind: Kind, item: Item, answer: Answer | None, text: Texts) -> dict[str, str]:
    if item.key is None:
        return {"resultado": kind.invalid, "observacao": item.remark}
    cells = {**kind.own_cells(item.key), **(answer.cells if answer else {})}
    remarks = [item.remark, cells.get("observacao", "") if answer else text("not_answered")]
    cells["resultado"] = answer.result if answer else "sem_resposta"
    cells["observacao"] = "; ".join(filter(None, remarks))
    return cells


def _rows(table: Table, columns: Sequence[str], added: Sequence[Mapping[str, str]]) -> Iterator[list[str]]:
    yield safe_row((*table.header, *(_column(name, table.header) for name in columns)))
    for row, cells in zip(table.rows, added, strict=True):
        yield safe_row((*row, *(cells.get(name, "") for name in columns)))


def _column(name: str, header: tuple[str, ...]) -> str:
    while name in header:
        name = f"brskills_{name}"
    return name
