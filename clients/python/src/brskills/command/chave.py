"""``brskills chave``: a free key, kept where its owner alone can read it. It is not shown."""

from __future__ import annotations

import click

from brskills.client import Client
from brskills.command import exits
from brskills.command.shell import KEY_FILE, Shell, shell_options
from brskills.command.texts import Say
from brskills.keyfile import new_key_file

__all__ = ["command"]


def command(say: Say, language: str) -> click.Command:
    """The command, with its help in the language of ``say``."""

    @click.command("chave", help=say("chave"))
    @click.option("--email", metavar="EMAIL", help=say("chave_email"))
    @shell_options(say, language)
    def chave(shell: Shell, email: str | None) -> int:
        path = shell.key_file or KEY_FILE
        with (
            new_key_file(path) as file,
            Client(base_url=shell.service, timeout=shell.timeout, language=language) as client,
        ):
            issued = client.create_key(email)
            file.write(f"{issued.api_key}\n")
        limit = say("unlimited") if issued.limite_mensal is None else issued.limite_mensal
        shown = {"id": issued.id, "plano": issued.plano, "limite_mensal": issued.limite_mensal}
        line = say("key_kept", path=path, id=issued.id, plan=issued.plano, limit=limit)
        shell.show({**shown, "arquivo": str(path)}, [line])
        return exits.OK

    return chave
