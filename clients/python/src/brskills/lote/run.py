"""A run of ``brskills lote``, from the table to its summary."""

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
from brskills.command.errors import Exit, Misuse, describe
from brskills.command.shell import Shell
from brskills.lote.journal import Answer, Busy, Journal, OtherRun
from brskills.lote.lookup import BatchLookup
from brskills.lote.output import result_of, write_output
from brskills.lote.table import BadTable, Table, read_table


def run(
    shell: Shell,
    source: Path,
    output: Path,
    column: str | None,
    *,
    rounds: int,
    flying: int,
    replace: bool,
    **ages: int | None,
) -> Exit:
    """Look up the companies of ``source`` and write ``output``. Return the exit code."""
    try:
        table = read_table(source, column)
    except BadTable as bad:
        raise Misuse(shell.say(f"table_{bad.code}")) from None
    kept = output.with_name(f"{output.name}.journal")
    _check_output(shell, source, output, exists=output.exists() and not kept.exists() and not replace)
    client = AsyncClient(
        shell.key(), shell.service, timeout=shell.timeout, retries=0, language=shell.language
    )
    client.settings.headers(with_key=True)  # a missing key is reported before anything is written
    with _report_as_file_error(kept):
        try:
            journal = Journal(kept, {"input": table.digest, "service": client.settings.base_url, **ages})
        except OtherRun:
            raise Misuse(shell.say("other_run", path=kept)) from None
        except Busy:
            raise Misuse(shell.say("busy", path=kept)) from None
        with closing(journal):
            lookup = BatchLookup(client, journal, table.separator, flying=flying, **ages)
            _look_up(shell, table, journal, lookup, rounds)
            answers, calls = journal.answers(), journal.calls()
            write_output(output, table, answers, shell.say)
            summary = _summary(table, answers, calls, output)
            if not summary["resultados"].get("sem_resposta"):
                journal.remove()
    return _conclude(shell, summary, lookup)


def _check_output(shell: Shell, source: Path, output: Path, *, exists: bool) -> None:
    """Raise `Misuse` if the output cannot be written, before anything is looked up."""
    if output.resolve() == source.resolve():
        raise Misuse(shell.say("same_file"))
    if exists:
        raise Misuse(shell.say("output_exists", path=output))
    try:
        TemporaryFile(dir=output.parent).close()
    except OSError as error:
        raise Misuse(shell.say("file_error", reason=f"{output.parent}: {error.strerror}")) from None


@contextmanager
def _report_as_file_error(kept: Path) -> Iterator[None]:
    """Raise errors of the journal as those of a file, as for a full disk."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(errno.EIO, str(error), str(kept)) from None


def _look_up(shell: Shell, table: Table, journal: Journal, lookup: BatchLookup, rounds: int) -> None:
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
        asyncio.run(lookup.run(left, rounds, bar.update))


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


def _conclude(shell: Shell, summary: dict[str, Any], lookup: BatchLookup) -> Exit:
    """Show the summary and how to continue. Return the exit code."""
    say, lines = shell.say, list[str]()
    for result, count in summary["resultados"].items():
        lines.append(f"{count} {say(f'result_{result}')}")
    if summary["repetidas"]:
        lines.append(say("repeated", count=summary["repetidas"]))
    if summary["consertadas"]:
        lines.append(say("repaired", count=summary["consertadas"]))
    lines += [say("calls", count=summary["contadas"]), say("written", path=summary["arquivo"])]
    code = Exit.OK
    if lookup.quota:
        at = lookup.resets_at
        summary["continuar_em"] = at and at.isoformat()
        lines.append(
            say("go_on_at", at=at.astimezone().isoformat(timespec="minutes")) if at else say("go_on")
        )
        code = Exit.LIMIT
    elif summary["resultados"].get("sem_resposta"):
        lines += describe(lookup.failure, say)[1] if lookup.failure else []
        lines.append(say("go_on"))
        code = Exit.LATER
    shell.show(summary, lines)
    return code
