"""The command line: commands in the user's language, errors as exit codes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module

import click

from brskills.command import exits
from brskills.command.errors import Misuse, report_error
from brskills.command.language import language_of
from brskills.command.shell import write_line
from brskills.command.texts import Say, speaking
from brskills.command.words import in_words_of
from brskills.errors import BrskillsError
from brskills.settings import installed_version

__all__ = ["run"]

COMMANDS = ("pix", "decode", "conferir", "cnpj", "lote", "chave", "uso")


class Commands(click.Group):
    """Commands, each imported on first use from the module of its name."""

    def __init__(self, say: Say, language: str) -> None:
        super().__init__(
            "brskills",
            help=say("about"),
            epilog=say("about_exits"),
            options_metavar=say("options_metavar"),
            subcommand_metavar=say("command_metavar"),
            params=_group_options(say),
            add_help_option=False,
        )
        self._say, self._language = say, language
        self.context_class = in_words_of(say)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Return a command by name. Raise `Misuse` if there is none."""
        if cmd_name not in COMMANDS:
            raise Misuse(self._say("no_such_command", name=cmd_name), ctx)
        module = import_module(f"brskills.command.{cmd_name}")
        command: click.Command = module.command(self._say, self._language)
        command.options_metavar = self._say("options_metavar")
        command.context_class = self.context_class
        return command


def run(arguments: Sequence[str]) -> int:
    """Run a command line. Return its exit code; errors are printed in a few lines, never as a traceback."""
    language = language_of(arguments, os.environ)
    say, as_json = speaking(language), "--json" in arguments
    try:
        ended = Commands(say, language).main(list(arguments), "brskills", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        write_line(say("interrupted"), err=True)
        return exits.INTERRUPTED
    except (click.ClickException, BrskillsError, OSError) as error:
        return report_error(error, say, as_json=as_json)
    return ended if isinstance(ended, int) else exits.OK


def _group_options(say: Say) -> list[click.Parameter]:
    def show_version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
        if asked:
            click.echo(f"brskills {installed_version()}")
            ctx.exit()

    def show_help(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
        if asked:
            click.echo(ctx.get_help())
            ctx.exit()

    shown = {"is_flag": True, "is_eager": True, "expose_value": False}
    return [
        click.Option(["--lang"], type=click.Choice(["pt", "en"]), expose_value=False, help=say("lang")),
        click.Option(["--version"], callback=show_version, help=say("version"), **shown),
        click.Option(["-h", "--help"], callback=show_help, help=say("help"), **shown),
    ]
