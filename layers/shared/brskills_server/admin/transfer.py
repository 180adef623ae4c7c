"""The command that copies a whole store into another."""

import click

from brskills_server.admin.console import Refused
from brskills_server.runtime.local import configured_store, move_store, shown_store
from brskills_server.runtime.transfer import NotEmpty

_SECONDS = 60
"""Time limit of an operation; one of them writes a whole store."""


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="[TO]", required=False)
def move(source: str, target: str | None) -> None:
    """Copy everything of one store into another that is empty.

    FROM and TO are written as in STORE; without TO, the store that STORE names.
    """
    target = target or configured_store()
    if source == target:
        raise Refused("that is the same store twice")
    try:
        moved = move_store(source, target, _SECONDS)
    except NotEmpty:
        raise Refused(f"{shown_store(target)} is not empty, and was not changed") from None
    click.echo("".join(f"{kind:<10}{count}\n" for kind, count in sorted(moved.items())), nl=False)
    click.echo(f"moved to {shown_store(target)}, read again there and found equal; the source is unchanged")


COMMANDS = (move,)
