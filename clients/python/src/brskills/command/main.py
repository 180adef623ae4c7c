"""The command line: commands in the user's language, errors as exit codes."""

import os
from collections.abc import Sequence

import click

from brskills.command.commands import commands, group_options
from brskills.command.errors import Exit, Misuse, report_error
from brskills.command.language import Texts, language_of, localized_context, texts_in
from brskills.command.shell import write_line
from brskills.errors import BrskillsError


class Commands(click.Group):
    """The group of all commands."""

    def __init__(self, text: Texts, language: str) -> None:
        super().__init__(
            "brskills",
            commands=commands(text, language),
            help=text("about"),
            epilog=text("about_exits"),
            options_metavar=text("options_metavar"),
            subcommand_metavar=text("command_metavar"),
            params=group_options(text),
            add_help_option=False,
        )
        self._text = text
        self.context_class = localized_context(text)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the commands in the order of the help."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name. Raise `Misuse` if there is none, unless a line is completed."""
        command = self.commands.get(cmd_name)
        if command or ctx.resilient_parsing:  # shell completion also passes unfinished names
            return command
        raise Misuse(self._text("no_such_command", name=cmd_name), ctx)


def run(arguments: Sequence[str]) -> int:
    """Run a command line. Return its exit code; errors are printed in a few lines, never as a traceback."""
    language = language_of(arguments, os.environ)
    text, as_json = texts_in(language), "--json" in arguments
    try:
        code = Commands(text, language).main(list(arguments), "brskills", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        write_line(text("interrupted"), err=True)
        return Exit.INTERRUPTED
    except (click.ClickException, BrskillsError, OSError) as error:
        return report_error(error, text, as_json=as_json)
    return code if isinstance(code, int) else Exit.OK
