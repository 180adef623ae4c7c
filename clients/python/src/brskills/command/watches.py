"""``brskills monitorar``: watch companies, list them, and stop watching them."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from brskills.client import Client
from brskills.command.errors import Exit, Misuse
from brskills.command.shell import Shell
from brskills.errors import InvalidFields, ProblemError, WatchLimit
from brskills.lote.bad_table import BadTable
from brskills.lote.cells import masked
from brskills.lote.companies import number_column
from brskills.lote.number import read_number
from brskills.lote.table import Table, read_table
from brskills.watches import Watched

_REFERENCE = "referencia"
_AT_ONCE = 200
"""Of a request, which stays below 256 KiB whatever their references are."""


class _Row(NamedTuple):
    """A company to watch, by its place in the command or the file; without a number it is wrong."""

    place: str
    number: str | None
    reference: str | None
    wrong: str = ""


def watch_companies(shell: Shell, sources: Sequence[str], lista: bool, parar: Sequence[str]) -> Exit:
    """Watch the companies of the arguments or of a file, list them or stop watching them."""
    if sum(map(bool, (sources, lista, parar))) != 1:
        raise Misuse(shell.text("monitorar_one"))
    with shell.client() as client:
        if lista:
            return _list(shell, client)
        if parar:
            for number in parar:
                client.unwatch(number)
            shell.show({"paradas": len(parar)}, [shell.text("unwatched", count=len(parar))])
            return Exit.OK
        return _watch(shell, client, _rows(shell, sources))


def _list(shell: Shell, client: Client) -> Exit:
    watches = list(client.watches())
    lines = (
        f"{masked(each.cnpj)}  {each.desde:%Y-%m-%d}  {each.referencia or ''}".rstrip() for each in watches
    )
    shell.show({"watches": [asdict(watch) for watch in watches]}, lines)
    shell.log(shell.text("watched", count=len(watches)))
    return Exit.OK


def _watch(shell: Shell, client: Client, rows: Sequence[_Row]) -> Exit:
    """Send the numbers and report the outcome of each."""
    wanted = [row for row in rows if row.number]
    problems: list[tuple[_Row, ProblemError]] = []
    added = before = 0
    for start in range(0, len(wanted), _AT_ONCE):
        part = wanted[start : start + _AT_ONCE]
        for row, outcome in zip(part, client.watch_all(map(_sent, part)), strict=True):
            if outcome.problema:
                problems.append((row, outcome.problema))
            added += outcome.nova
            before += outcome.watch is not None and not outcome.nova
    wrong = [(row, row.wrong) for row in rows if not row.number]
    wrong += [(row, _detail(problem)) for row, problem in problems]
    shown = [{"linha": row.place, "cnpj": row.number, "detalhe": detail} for row, detail in wrong]
    lines = [shell.text("watching_new", count=added), shell.text("watching_before", count=before)]
    shell.show({"novas": added, "ja_vigiadas": before, "erradas": shown}, lines)
    for row, detail in wrong:
        shell.log(f"{row.place}: {detail}")
    if any(isinstance(problem, WatchLimit) for _, problem in problems):
        return Exit.LIMIT
    return Exit.USAGE if wrong else Exit.OK


def _sent(row: _Row) -> Watched:
    sent: Watched = {"cnpj": row.number or ""}
    return {**sent, "referencia": row.reference} if row.reference else sent


def _detail(problem: ProblemError) -> str:
    if isinstance(problem, InvalidFields):
        return "; ".join(each.detail for each in problem.errors)
    return problem.detail


def _rows(shell: Shell, sources: Sequence[str]) -> list[_Row]:
    if len(sources) == 1 and Path(sources[0]).is_file():
        try:
            return list(_table_rows(shell, read_table(Path(sources[0]))))
        except BadTable as bad:
            name = (
                "monitorar_no_column" if bad.code == "no_column" else f"table_{bad.code}"
            )  # no --coluna here
            raise Misuse(shell.text(name, **bad.values)) from None
    return [_row(shell, text, text, None) for text in sources]


def _table_rows(shell: Shell, table: Table) -> Iterator[_Row]:
    """Yield the rows of a table, counted from 1 as a spreadsheet does, with its header."""
    column = number_column(table, None)
    names = [name.strip().casefold() for name in table.header]
    reference = next((names.index(name) for name in (_REFERENCE, "referência") if name in names), None)
    first = 1 if names[0] == "coluna_1" else 2
    for number, row in enumerate(table.rows, first):
        own = None if reference is None else row[reference].strip() or None
        yield _row(shell, shell.text("line", number=number), row[column], own)


def _row(shell: Shell, place: str, cell: str, reference: str | None) -> _Row:
    found = read_number(cell)
    wrong = "" if found.number else shell.text(found.remark)
    return _Row(place, found.number, reference, wrong)
