"""Run `brskills lote`: look up the CNPJs of a CSV file, resumably."""

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
from brskills.lote.journal import Answer, Journal, JournalLocked, JournalMismatch
from brskills.lote.lookup import BatchLookup
from brskills.lote.output import result_of, write_output
from brskills.lote.table import BadTable, Table, read_table


def run(
    shell: Shell,
    source: Path,
    output: Path,
    column: str | None,
    *,
    max_rounds: int,
    concurrency: int,
    replace: bool,
    idade_maxima: int | None,
    idade_dados_maxima: int | None,
) -> Exit:
    """Look up the companies of ``source`` and write ``output``. Return the exit code."""
    try:
        table = read_table(source, column)
    except BadTable as bad:
        raise Misuse(shell.text(f"table_{bad.code}")) from None
    journal_path = output.with_name(f"{output.name}.journal")
    would_overwrite = output.exists() and not journal_path.exists() and not replace
    _check_output(shell, source, output, would_overwrite=would_overwrite)
    client = AsyncClient(
        shell.key(), shell.service, timeout=shell.timeout, retries=0, language=shell.language
    )
    client.settings.require_key()  # before anything is written
    with _translate_errors(journal_path):
        ages = {"idade_maxima": idade_maxima, "idade_dados_maxima": idade_dados_maxima}
        try:
            journal = Journal(
                journal_path, {"input": table.digest, "service": client.settings.base_url, **ages}
            )
        except JournalMismatch:
            raise Misuse(shell.text("journal_mismatch", path=journal_path)) from None
        except JournalLocked:
            raise Misuse(shell.text("journal_locked", path=journal_path)) from None
        with closing(journal):
            lookup = BatchLookup(client, journal, table.separator, concurrency=concurrency, **ages)
            _look_up(shell, table, journal, lookup, max_rounds)
            answers, calls = journal.answers(), journal.calls()
            write_output(output, table, answers, shell.text)
            summary = _summary(table, answers, calls, output)
            if not summary["resultados"].get("sem_resposta"):
                journal.remove()
    return _report(shell, summary, lookup)


def _check_output(shell: Shell, source: Path, output: Path, *, would_overwrite: bool) -> None:
    """Raise `Misuse` if the output cannot be written, before anything is looked up."""
    if output.resolve() == source.resolve():
        raise Misuse(shell.text("same_file"))
    if would_overwrite:
        raise Misuse(shell.text("output_exists", path=output))
    try:
        TemporaryFile(dir=output.parent).close()
    except OSError as error:
        raise Misuse(shell.text("file_error", reason=f"{output.parent}: {error.strerror}")) from None


@contextmanager
def _translate_errors(journal_path: Path) -> Iterator[None]:
    """Translate SQLite errors of the journal into `OSError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(errno.EIO, str(error), str(journal_path)) from None


def _look_up(shell: Shell, table: Table, journal: Journal, lookup: BatchLookup, max_rounds: int) -> None:
    distinct = dict.fromkeys(reading.number for reading in table.numbers() if reading.number)
    known = journal.answers()
    pending = [number for number in distinct if number not in known]
    column = table.header[table.column]
    shell.log(shell.text("lines", count=len(table.rows), numbers=len(distinct), column=column))
    hidden = shell.json or not sys.stderr.isatty()
    with click.progressbar(
        length=len(distinct), label=shell.text("lote_label"), file=sys.stderr, hidden=hidden, show_pos=True
    ) as bar:
        bar.update(len(distinct) - len(pending))
        asyncio.run(lookup.run(pending, max_rounds, bar.update))


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


def _report(shell: Shell, summary: dict[str, Any], lookup: BatchLookup) -> Exit:
    """Show the summary and how to resume. Return the exit code."""
    text, lines = shell.text, list[str]()
    for result, count in summary["resultados"].items():
        lines.append(f"{count} {text(f'result_{result}')}")
    if summary["repetidas"]:
        lines.append(text("repeated", count=summary["repetidas"]))
    if summary["consertadas"]:
        lines.append(text("repaired", count=summary["consertadas"]))
    lines += [text("calls", count=summary["contadas"]), text("written", path=summary["arquivo"])]
    code = Exit.OK
    if lookup.quota:
        resets_at = lookup.resets_at
        summary["continuar_em"] = resets_at and resets_at.isoformat()
        lines.append(
            text("resume_at", resets_at=resets_at.astimezone().isoformat(timespec="minutes"))
            if resets_at
            else text("resume")
        )
        code = Exit.LIMIT
    elif summary["resultados"].get("sem_resposta"):
        lines += describe(lookup.failure, text)[1] if lookup.failure else []
        lines.append(text("resume"))
        code = Exit.UNAVAILABLE
    shell.show(summary, lines)
    return code
