"""``brskills mudancas``: what changed in watched companies, as CSV or JSON."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

from brskills.command.csv_file import Output, csv_line, write_file
from brskills.command.errors import Exit
from brskills.command.history import shown
from brskills.command.language import Texts
from brskills.command.shell import Shell
from brskills.lote.cells import masked
from brskills.watches import ChangePage, WatchedChange

_COLUMNS = ("data_base", "cnpj", "referencia", "campo", "de", "para", "id")


def show_changes(shell: Shell, cursor: str | None, seguir: bool, saida: Path | None, overwrite: bool) -> Exit:
    """Write a page of the feed or, with ``seguir``, all of it up to its end."""
    output = Output(saida, overwrite)
    output.check(shell)
    with shell.client() as client:
        pages = list(islice(client.changes_since(cursor), None if seguir else 1))
    changes = tuple(change for page in pages for change in page.mudancas)
    _write(shell, replace(pages[-1], mudancas=changes), output.file)
    shell.log(shell.text("changed", count=len(changes)))
    shell.log(shell.text("later_changes", cursor=pages[-1].cursor))
    return Exit.OK


def _write(shell: Shell, answer: ChangePage, file: Path | None) -> None:
    lines = list(map(csv_line, (_COLUMNS, *_cells(answer.mudancas, shell.text))))
    if not file:
        shell.show(answer, lines if answer.mudancas else [])
        return
    write_file(file, "\n".join([*lines, ""]))
    shell.show({**asdict(answer), "mudancas": len(answer.mudancas), "arquivo": str(file)}, [])
    shell.log(shell.text("written", path=file))


def _cells(changes: Iterable[WatchedChange], text: Texts) -> Iterator[list[str]]:
    """Yield a row for each field that changed."""
    for each in changes:
        own = (masked(each.cnpj), each.referencia or "")
        for change in each.mudancas:
            values = (shown(change.de, text), shown(change.para, text))
            yield [str(change.data_base), *own, change.campo, *values, each.id]
