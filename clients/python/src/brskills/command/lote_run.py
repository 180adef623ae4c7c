"""A run of ``brskills lote``: from the table to its summary."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click

from brskills.client import AsyncClient
from brskills.command import exits
from brskills.command.errors import Misuse, describe
from brskills.command.shell import Shell
from brskills.lote.asking import ProviderCaller
from brskills.lote.journal import Answer, Busy, Journal, OtherRun
from brskills.lote.output import result_of, write_output
from brskills.lote.table import BadTable, Table, read_table

__all__ = ["run"]


def run(
    shell: Shell,
    source: Path,
    output: Path,
    column: str | None,
    *,
    rounds: int,
    flying: int,
    replace: bool,
    **demand: int | None,
) -> int:
    """Look up the companies of ``source`` and write ``output``; the exit code."""
    try:
        table = read_table(source, column)
    except BadTable as bad:
        raise Misuse(shell.say(f"table_{bad.code}")) from None
    kept = output.with_name(f"{output.name}.journal")
    if output.resolve() == source.resolve():
        raise Misuse(shell.say("same_file"))
    if output.exists() and not kept.exists() and not replace:
        raise Misuse(shell.say("output_exists", path=output))
    _check_folder(shell, output.parent)
    client = AsyncClient(
        shell.key(), shell.service, timeout=shell.timeout, retries=0, language=shell.language
    )
    client.settings.headers(with_key=True)  # a missing key is reported before anything is written
    try:
        with _as_file_error(kept):
            journal = Journal(kept, {"input": table.digest, "service": client.settings.base_url, **demand})
    except OtherRun:
        raise Misuse(shell.say("other_run", path=kept)) from None
    except Busy:
        raise Misuse(shell.say("busy", path=kept)) from None
    with closing(journal), _as_file_error(kept):
        asker = _ask(shell, table, journal, client, rounds, flying, demand)
        answers, calls = journal.answers(), journal.calls()
        write_output(output, table, answers, shell.say)
        summary = _summary(table, answers, calls, output)
        if not summary["resultados"].get("sem_resposta"):
            journal.remove()
    return _conclude(shell, summary, asker)


def _check_folder(shell: Shell, folder: Path) -> None:
    """See that it can be written to, before anything is asked."""
    try:
        TemporaryFile(dir=folder).close()
    except OSError as fault:
        raise Misuse(shell.say("file_error", reason=f"{folder}: {fault.strerror}")) from None


@contextmanager
def _as_file_error(kept: Path) -> Iterator[None]:
    """What befalls the journal as what befalls any file: a disk that is full, or does not answer."""
    try:
        yield
    except sqlite3.Error as fault:
        raise OSError(errno.EIO, str(fault), str(kept)) from None


def _ask(
    shell: Shell,
    table: Table,
    journal: Journal,
    client: AsyncClient,
    rounds: int,
    flying: int,
    demand: Mapping[str, int | None],
) -> ProviderCaller:
    distinct = dict.fromkeys(reading.number for reading in table.numbers() if reading.number)
    known = journal.answers()
    left = [number for number in distinct if number not in known]
    column = table.header[table.column]
    shell.remark(shell.say("lines", count=len(table.rows), numbers=len(distinct), column=column))
    hidden = shell.json or not sys.stderr.isatty()
    with click.progressbar(
        length=len(distinct), label=shell.say("lote_label"), file=sys.stderr, hidden=hidden, show_pos=True
    ) as bar:
        bar.update(len(distinct) - len(left))
        asker = ProviderCaller(client, journal, table.separator, bar.update, flying=flying, **demand)

        async def ask() -> None:
            async with client:
                await asker.ask(left, rounds)

        asyncio.run(ask())
    return asker


def _summary(table: Table, answers: Mapping[str, Answer], calls: int, output: Path) -> dict[str, Any]:
    readings = table.numbers()
    numbers = [reading.number for reading in readings if reading.number]
    return {
        "linhas": len(readings),
        "numeros": len(set(numbers)),
        "repetidas": len(numbers) - len(set(numbers)),
        "consertadas": sum(bool(reading.number and reading.remark) for reading in readings),
        "resultados": dict(Counter(result_of(reading, answers) for reading in readings)),
        "contadas": calls,
        "arquivo": str(output),
    }


def _conclude(shell: Shell, summary: dict[str, Any], asker: ProviderCaller) -> int:
    say, lines = shell.say, list[str]()
    for result, count in summary["resultados"].items():
        lines.append(f"{count} {say(f'result_{result}')}")
    if summary["repetidas"]:
        lines.append(say("repeated", count=summary["repetidas"]))
    if summary["consertadas"]:
        lines.append(say("repaired", count=summary["consertadas"]))
    lines += [say("calls", count=summary["contadas"]), say("written", path=summary["arquivo"])]
    code = exits.OK
    if asker.quota:
        at = asker.resets_at
        summary["continuar_em"] = at and at.isoformat()
        lines.append(
            say("go_on_at", at=at.astimezone().isoformat(timespec="minutes")) if at else say("go_on")
        )
        code = exits.LIMIT
    elif summary["resultados"].get("sem_resposta"):
        lines += describe(asker.failure, say)[1] if asker.failure else []
        lines.append(say("go_on"))
        code = exits.LATER
    shell.show(summary, lines)
    return code
