"""``brskills completion``: the script with which a shell completes commands and options."""

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from brskills.command.language import Texts, localized_context
from brskills.command.shell import write_line

_SCRIPTS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


def completion_command(text: Texts, shared: list[click.Parameter]) -> click.Command:
    """Return the command, which needs the group above it: that is what the script completes."""
    command = click.Command(
        "completion",
        callback=_write_script,
        params=[click.Argument(["shell"], type=click.Choice(list(_SCRIPTS))), *shared],
        help=text("completion"),
        epilog=text("completion_shell"),
        options_metavar=text("options_metavar"),
        add_help_option=False,
    )
    command.context_class = localized_context(text)
    return command


@click.pass_context
def _write_script(ctx: click.Context, shell: str) -> None:
    made = _SCRIPTS[shell](ctx.find_root().command, {}, "brskills", "_BRSKILLS_COMPLETE")
    write_line(made.source_template % made.source_vars())
