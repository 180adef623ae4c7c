"""``brskills conferir``: check a code's payee against the register."""

from __future__ import annotations

from collections.abc import Iterator

import click

from brskills.command import exits
from brskills.command.decode import read_code
from brskills.command.shell import Shell, shell_options
from brskills.command.texts import Say
from brskills.payee import PayeeCheck

__all__ = ["command"]


def command(say: Say, language: str) -> click.Command:
    """The command, with its help in the language of ``say``."""

    @click.command("conferir", help=say("conferir"))
    @click.argument("code", required=False, metavar=say("code_metavar"))
    @click.option("--chave", metavar="CNPJ", help=say("conferir_chave"))
    @click.option("--tipo-chave", metavar="TIPO_CHAVE", help=say("conferir_tipo"))
    @click.option("--nome-recebedor", metavar="NOME", help=say("conferir_nome"))
    @shell_options(say, language)
    def conferir(shell: Shell, code: str | None, chave: str | None, **rest: str | None) -> int:
        text = code if chave is not None else read_code(code)
        with shell.client() as client:
            found = client.conferir(text, chave=chave, **rest)
        shell.show(found, _lines(found, say))
        return exits.INVALID_CODE if found.alertas else exits.OK

    return conferir


def _lines(found: PayeeCheck, say: Say) -> Iterator[str]:
    yield f"chave: {found.chave or '—'}"
    yield f"nome_recebedor: {found.nome_recebedor or '—'} ({found.nome})"
    if found.recebedor:
        payee = found.recebedor
        yield f"razao_social: {payee.razao_social}"
        if payee.nome_fantasia:
            yield f"nome_fantasia: {payee.nome_fantasia}"
        yield f"situacao_cadastral: {payee.situacao_cadastral.descricao or '—'}"
    if found.evidencia:
        yield f"fonte: {found.evidencia.fonte}, {found.evidencia.data_base or '—'}"
    for alert in found.alertas:
        yield f"{say('warning')}: {alert.detalhe} [{alert.codigo}]"
