"""``brskills lote``: the companies of a CSV file. What it does is in ``brskills.command.lote_run``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from brskills.command.shell import Shell, shell_options
from brskills.command.texts import Say

__all__ = ["command"]


def command(say: Say, language: str) -> click.Command:
    """The command, with its help in the language of ``say``."""
    file = click.Path(path_type=Path, dir_okay=False)

    @click.command("lote", help=say("lote"))
    @click.argument("source", metavar=say("lote_input"), type=file)
    @click.option("-o", "--output", metavar="PATH", type=file, help=say("lote_output"))
    @click.option("--coluna", metavar="COLUNA", help=say("lote_column"))
    @click.option("--idade-maxima", metavar="S", type=click.IntRange(0), help=say("max_age"))
    @click.option("--idade-dados-maxima", metavar="D", type=click.IntRange(0), help=say("max_data_age"))
    @click.option("--rounds", metavar="N", type=click.IntRange(1), default=4, help=say("lote_rounds"))
    @click.option("--flying", metavar="N", type=click.IntRange(1, 16), default=4, help=say("lote_flying"))
    @click.option("--replace", is_flag=True, help=say("lote_replace"))
    @shell_options(say, language)
    def lote(shell: Shell, source: Path, output: Path | None, coluna: str | None, **how: Any) -> int:
        from brskills.command.lote_run import (
            run,  # loads what makes connections; the help need not wait for it
        )

        output = output or source.with_name(f"{source.stem}-empresas.csv")
        return run(shell, source, output, coluna, **how)

    return lote
