"""``brskills cnpj`` and ``brskills buscar``: a company's record, and companies by other fields."""

from dataclasses import replace as changed
from pathlib import Path
from typing import Any

from brskills.command.errors import Exit
from brskills.command.shell import Shell
from brskills.lote.cells import cells_of, masked


def show_company(shell: Shell, number: str, idade_maxima: int | None, idade_dados_maxima: int | None) -> Exit:
    """Show a company's record."""
    with shell.client() as client:
        found = client.company(number, idade_maxima=idade_maxima, idade_dados_maxima=idade_dados_maxima)
    cells = (f"{name}: {value}" for name, value in cells_of(found, ",", shell.text).items() if value)
    shell.show(found, [f"cnpj: {masked(found.cnpj)}", *cells])
    if found.desatualizado:
        shell.log(shell.text("stale"))
    return Exit.OK


def search_companies(
    shell: Shell, paginas: int, saida: Path | None, replace: bool, quiet: bool, **fields: Any
) -> Exit:
    """Write the companies that a search finds."""
    from brskills.command.csv_file import Output
    from brskills.command.search import run  # loads httpx and asyncio, which no help needs

    given = {name: value for name, value in fields.items() if value not in (None, ())}
    return run(changed(shell, quiet=quiet), given, paginas, Output(saida, replace))
