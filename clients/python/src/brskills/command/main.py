"""The command line: commands in the user's language, errors as exit codes."""

import os
from collections.abc import Sequence

import click

from brskills.command.commands import commands, group_options
from brskills.command.errors import Exit, Misuse, report_error
from brskills.command.shell import write_line
from brskills.command.texts import Say, language_of, localized_context, texts_in
from brskills.errors import BrskillsError


class Commands(click.Group):
    """The group of all commands."""

    def __init__(self, say: Say, language: str) -> None:
        super().__init__(
            "brskills",
            commands=commands(say, language),
            help=say("about"),
            epilog=say("about_exits"),
            options_metavar=say("options_metavar"),
            subcommand_metavar=say("command_metavar"),
            params=group_options(say),
            add_help_option=False,
        )
        self._say = say
        self.context_class = localized_context(say)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the commands in the order of the help."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Return a command by name. Raise `Misuse` if there is none."""
        if command := self.commands.get(cmd_name):
            return command
        raise Misuse(self._say("no_such_command", name=cmd_name), ctx)


def run(arguments: Sequence[str]) -> int:
    """Run a command line. Return its exit code; errors are printed in a few lines, never as a traceback."""
    language = language_of(arguments, os.environ)
    say, as_json = texts_in(language), "--json" in arguments
    try:
        ended = Commands(say, language).main(list(arguments), "brskills", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        write_line(say("interrupted"), err=True)
        return Exit.INTERRUPTED
    except (click.ClickException, BrskillsError, OSError) as error:
        return report_error(error, say, as_json=as_json)
    return ended if isinstance(ended, int) else Exit.OK
