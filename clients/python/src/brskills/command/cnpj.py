"""``brskills cnpj``: a company's record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from brskills.command import exits
from brskills.command.shell import Shell, shell_options
from brskills.command.texts import Say
from brskills.company import Company
from brskills.lote.cells import cells_of, masked

__all__ = ["command"]


def command(say: Say, language: str) -> click.Command:
    """The command, with its help in the language of ``say``."""

    @click.command("cnpj", help=say("cnpj"))
    @click.argument("number", metavar="CNPJ")
    @click.option("--idade-maxima", metavar="S", type=click.IntRange(0), help=say("max_age"))
    @click.option("--idade-dados-maxima", metavar="D", type=click.IntRange(0), help=say("max_data_age"))
    @shell_options(say, language)
    def cnpj(shell: Shell, number: str, **demand: Any) -> int:
        with shell.client() as client:
            found = client.company(number, **demand)
        shell.show(found, _lines(found))
        if found.desatualizado:
            shell.remark(say("stale"))
        return exits.OK

    return cnpj


def _lines(company: Company) -> Iterator[str]:
    yield f"cnpj: {masked(company.cnpj)}"
    for name, value in cells_of(company, ",").items():
        if value:
            yield f"{name}: {value}"
