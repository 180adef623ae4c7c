"""Run ``brskills buscar``: the companies that a search finds, as CSV or JSON."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from brskills.client import AsyncClient
from brskills.command.csv_file import Output, csv_line, write_file
from brskills.command.errors import Exit
from brskills.command.language import Texts
from brskills.command.shell import Shell
from brskills.errors import BrskillsError
from brskills.lote.cells import ROW_COLUMNS, cells_of_row
from brskills.lote.progress import Progress
from brskills.search import SearchPage


def run(shell: Shell, fields: dict[str, Any], most_pages: int, output: Output) -> Exit:
    """Write the companies of up to ``most_pages`` pages; if one fails, those of the pages before it."""
    output.check(shell)
    pages: list[SearchPage] = []
    try:
        asyncio.run(_fetch(shell, fields, most_pages, pages))
    except BrskillsError:
        if pages:
            _write(shell, pages, output.file)
        raise
    _write(shell, pages, output.file)
    if pages[0].total == 0 and not fields.keys() & {"situacao", "raiz"}:  # of a root any status is searched
        shell.log(shell.text("only_active"))
    return Exit.OK


async def _fetch(shell: Shell, fields: dict[str, Any], most_pages: int, pages: list[SearchPage]) -> None:
    """Add the pages to ``pages`` one by one."""
    client = AsyncClient(shell.key(), shell.service, timeout=shell.timeout, language=shell.language)
    async with client:
        first = await client.search(**fields)
        pages.append(first)
        if first.cursor is None or most_pages == 1:
            return
        most_rows = most_pages * int(fields["limite"])
        expected = min(first.total, most_rows) if first.total_exato else most_rows
        async with Progress(shell, expected, len(first.empresas)) as progress:
            async for page in client.search_all(**{**fields, "cursor": first.cursor}):
                pages.append(page)
                progress.add(len(page.empresas))
                if len(pages) == most_pages:
                    return


def _write(shell: Shell, pages: Sequence[SearchPage], file: Path | None) -> None:
    rows = tuple(row for page in pages for row in page.empresas)
    answer = replace(pages[-1], empresas=rows)
    if file:
        write_file(file, "\n".join([*_csv_lines(answer, shell.text), ""]))
        shell.show({**asdict(replace(answer, empresas=())), "empresas": len(rows), "arquivo": str(file)}, [])
    else:
        shell.show(answer, _csv_lines(answer, shell.text) if rows else [])
    for line in _remarks(shell, answer, file):
        shell.log(line)


def _csv_lines(answer: SearchPage, text: Texts) -> Iterator[str]:
    """Yield the header and a line for each company."""
    return map(csv_line, (ROW_COLUMNS, *(cells_of_row(row, text) for row in answer.empresas)))


def _remarks(shell: Shell, answer: SearchPage, file: Path | None) -> Iterator[str]:
    yield shell.text("found" if answer.total_exato else "found_more", count=answer.total)
    if answer.sugestoes:
        yield shell.text("suggestions", words=", ".join(answer.sugestoes))
    if file:
        yield shell.text("written", path=file)
    if answer.cursor:
        yield shell.text("more_pages", cursor=answer.cursor)
