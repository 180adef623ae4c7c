"""Run `brskills lote`: the companies or Pix codes of a table, resumably."""

import asyncio
import errno
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from brskills.client import AsyncClient
from brskills.command.errors import Exit, Misuse
from brskills.command.shell import Shell
from brskills.lote.bad_table import BadTable
from brskills.lote.choice import choose_kind
from brskills.lote.images import COLUMN, write_images
from brskills.lote.journal import Journal, JournalLocked, JournalMismatch
from brskills.lote.kind import Item, Kind
from brskills.lote.options import Options
from brskills.lote.output import records, write_output
from brskills.lote.places import Places, find_places
from brskills.lote.progress import Progress
from brskills.lote.sending import BatchSender
from brskills.lote.summary import report, summarize
from brskills.lote.table import Table, read_table


def run(shell: Shell, source: Path, options: Options) -> Exit:
    """Write the output for the rows of ``source``. Return the exit code."""
    shell = replace(shell, quiet=options.quiet)
    shell.log(shell.text("reading", path=source))
    try:
        table = read_table(source)
        kind = choose_kind(shell, table, options)
    except BadTable as bad:
        raise Misuse(shell.text(f"table_{bad.code}", **bad.values)) from None
    shell.log(f"{shell.text('rows', count=len(table.rows))}, {kind.subject}")
    client = AsyncClient(
        shell.key(), shell.service, timeout=shell.timeout, retries=0, language=shell.language
    )
    client.settings.require_key()  # before anything is written
    places = find_places(shell, source, kind, options)
    items = [kind.item(row) for row in table.rows]
    parameters = {"input": table.digest, "service": client.settings.base_url, **kind.parameters}
    with _open_journal(shell, places.journal, parameters) as journal:
        sender = BatchSender(client, journal, kind, concurrency=options.concurrency)
        _send(shell, items, journal, sender, options.max_rounds)
        summary = _write(shell, table, kind, items, journal, places)
    return report(shell, summary, sender)


@contextmanager
def _open_journal(shell: Shell, path: Path, parameters: dict[str, Any]) -> Iterator[Journal]:
    """Open the journal. Raise `Misuse` if another run uses it, `OSError` if it cannot be written."""
    try:
        with closing(Journal(path, parameters)) as journal:
            yield journal
    except JournalMismatch:
        raise Misuse(shell.text("journal_mismatch", path=path)) from None
    except JournalLocked:
        raise Misuse(shell.text("journal_locked", path=path)) from None
    except sqlite3.Error as error:
        raise OSError(errno.EIO, str(error), str(path)) from None


def _send(
    shell: Shell, items: Sequence[Item], journal: Journal, sender: BatchSender, max_rounds: int
) -> None:
    """Send the items that have no answer yet."""
    distinct, known = dict.fromkeys(item.key for item in items if item.key), journal.answers()
    pending = [key for key in distinct if key not in known]

    async def send() -> None:
        async with Progress(shell, len(distinct), len(distinct) - len(pending)) as progress:
            await sender.run(pending, max_rounds, progress.add)

    asyncio.run(send())


def _write(
    shell: Shell, table: Table, kind: Kind, items: Sequence[Item], journal: Journal, places: Places
) -> dict[str, Any]:
    """Write the output and the images. Return the summary; without open rows the journal is removed."""
    added, columns = records(kind, items, journal.answers(), shell.text), kind.columns
    summary = summarize(items, added, journal.calls(), places.output)
    if places.images:
        images = write_images(places.images, places.image_form, added)
        summary |= {"imagens": images, "pasta": str(places.images)}
        columns = (*columns, COLUMN)
    write_output(places.output, table, columns, added)
    if "sem_resposta" not in summary["resultados"]:
        journal.remove()
    return summary
