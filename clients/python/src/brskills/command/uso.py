"""``brskills uso``: the month's calls."""

from __future__ import annotations

import click

from brskills.command import exits
from brskills.command.shell import Shell, shell_options
from brskills.command.texts import Say

__all__ = ["command"]


def command(say: Say, language: str) -> click.Command:
    """The command, with its help in the language of ``say``."""

    @click.command("uso", help=say("uso"))
    @shell_options(say, language)
    def uso(shell: Shell) -> int:
        with shell.client() as client:
            usage = client.usage()
        line = say(
            "used_unlimited" if usage.limite is None else "used",
            month=usage.mes,
            calls=usage.chamadas,
            limit=usage.limite,
            left=usage.restantes,
            resets=usage.reinicia_em.date(),
            plan=usage.plano,
        )
        shell.show(usage, [line, *(f"{month.mes}: {month.chamadas}" for month in usage.historico)])
        return exits.OK

    return uso
