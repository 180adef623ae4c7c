"""The command that replaces the key of proofs."""

import click

from brskills_server.admin.console import STORE_TIMEOUT_SECONDS, CommandRejected
from brskills_server.proofs.keys import OVERLAP_SECONDS, KeysChanged
from brskills_server.runtime.local import open_local_services


@click.command()
def rotate_proof_key() -> None:
    """Add a key that signs proofs ten minutes from now; the former ones stay published."""
    try:
        key = open_local_services(STORE_TIMEOUT_SECONDS).proof_keys.add()
    except KeysChanged:
        raise CommandRejected(
            "another key was added at the same time; repeat if one more is wanted"
        ) from None
    click.echo(key)
    click.echo(f"It signs in {OVERLAP_SECONDS // 60} minutes, when all processes have read it.", err=True)


COMMANDS = (rotate_proof_key,)
