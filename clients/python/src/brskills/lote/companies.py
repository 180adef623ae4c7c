"""Rows that ask for a company: the column of CNPJs, and the cells of the record."""

from collections.abc import Mapping, Sequence
from typing import Any

from brskills import calls
from brskills.answers import Batch
from brskills.calls import Call
from brskills.command.language import Texts
from brskills.company import Company
from brskills.errors import CompanyNotFound, ProblemError
from brskills.lote.bad_table import BadTable
from brskills.lote.cells import COLUMNS, cells_of, masked
from brskills.lote.journal import Answer
from brskills.lote.kind import Item, refused
from brskills.lote.number import has_number, read_number
from brskills.lote.table import Table

_SAMPLE_ROWS = 200


class Companies:
    """The companies of a table. ``column``: index of the numbers. ``ages``: maximum ages of the records."""

    suffix = "empresas"
    invalid = "numero_invalido"
    columns = ("cnpj_consultado", "resultado", "observacao", *COLUMNS)

    def __init__(self, table: Table, column: int, text: Texts, ages: Mapping[str, int | None]) -> None:
        self._column, self._separator, self._text = column, table.separator, text
        self.parameters = ages
        self.subject = text("column", name=table.header[column])

    def item(self, row: Sequence[str]) -> Item:
        """Return the number of a row."""
        found = read_number(row[self._column])
        return Item(found.number, self._text(found.remark) if found.remark else "")

    def call(self, keys: Sequence[str], idempotency_key: str) -> Call[Batch[Any]]:
        """Return the call for these numbers."""
        ages = dict(self.parameters)
        return calls.companies(keys, partial=True, idempotency_key=idempotency_key, **ages)

    def answer(self, outcome: Company | ProblemError) -> Answer:
        """Return the record's cells, or why there is none."""
        if isinstance(outcome, Company):
            return Answer("encontrada", cells_of(outcome, self._separator, self._text))
        if isinstance(outcome, CompanyNotFound):
            return Answer("inexistente" if outcome.confirmed else "nao_encontrada", {})
        return refused(outcome)

    def own_cells(self, key: str) -> Mapping[str, str]:
        """Return the number, masked."""
        return {"cnpj_consultado": masked(key)}


def number_column(table: Table, column: str | None) -> int:
    """Return the index of the numbers' column, by its name or position from 1, else detected.

    Detected: the column with most numbers; of several, one named CNPJ, else one where each cell is a number
    without its zeros, else the first. Raise `BadTable`.
    """
    if column:
        return _find(table.header, column)

    def score(index: int) -> tuple[int, bool, bool]:
        cells = [cell for row in table.rows[:_SAMPLE_ROWS] if (cell := row[index]).strip()]
        short = bool(cells) and all(read_number(cell).number for cell in cells)
        return sum(map(has_number, cells)), "cnpj" in table.header[index].casefold(), short

    best = max(range(len(table.header)), key=score)
    if not any(score(best)):
        raise BadTable("no_column")
    return best


def _find(names: Sequence[str], column: str) -> int:
    folded = [name.casefold() for name in names]
    if column.casefold() in folded:
        return folded.index(column.casefold())
    if column.isdecimal() and 1 <= int(column) <= len(names):
        return int(column) - 1
    raise BadTable("no_such_column")
