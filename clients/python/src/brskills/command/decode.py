"""``brskills decode``: what is in a code, by the service or without it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict

import click

from brskills import local
from brskills.command import exits
from brskills.command.shell import Shell, shell_options
from brskills.command.texts import Say
from brskills.pix import DecodedCode

__all__ = ["command", "read_code"]


def command(say: Say, language: str) -> click.Command:
    """The command, with its help in the language of ``say``."""

    @click.command("decode", help=say("decode"))
    @click.argument("code", required=False, metavar=say("code_metavar"))
    @click.option("--local", "alone", is_flag=True, help=say("local"))
    @shell_options(say, language)
    def decode(shell: Shell, code: str | None, alone: bool) -> int:
        text = read_code(code)
        if alone:
            found = local.decode(text, language)
        else:
            with shell.client() as client:
                found = client.decode(text)
        shell.show(found, _lines(found, say))
        return exits.OK if found.valido else exits.INVALID_CODE

    return decode


def read_code(code: str | None) -> str:
    """The argument, or standard input without the end of its line."""
    if code is not None and code != "-":
        return code
    return sys.stdin.read().rstrip("\r\n")


def _lines(found: DecodedCode, say: Say) -> Iterator[str]:
    yield f"{say('valid' if found.valido else 'invalid')}{f' ({found.tipo})' if found.tipo else ''}"
    for name, value in asdict(found.campos).items():
        if name != "desconhecidos" and value is not None:
            yield f"  {name}: {value}"
    for unknown in found.campos.desconhecidos:
        yield f"  {unknown.id}: {unknown.valor}"
    for kind, findings in (("error", found.erros), ("warning", found.alertas)):
        for finding in findings:
            yield f"{say(kind)}: {finding.detalhe} [{finding.regra}; {finding.referencia}]"
