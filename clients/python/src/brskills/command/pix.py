"""``brskills pix``: a code, by the service or without it."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from brskills import local
from brskills.command import exits
from brskills.command.errors import Misuse
from brskills.command.shell import Shell, shell_options
from brskills.command.texts import Say
from brskills.pix import PixCode

__all__ = ["command"]

FIELDS = (
    "chave",
    "tipo_chave",
    "valor",
    "nome_recebedor",
    "cidade",
    "txid",
    "descricao",
    "cep",
    "mcc",
    "url",
    "url_recorrencia",
    "ispb_saque",
)


def command(say: Say, language: str) -> click.Command:
    """The command, with its help in the language of ``say``."""

    @shell_options(say, language)
    def pix(shell: Shell, local: bool, png: Path | None, svg: Path | None, **charge: Any) -> int:
        return _write(
            shell, {name: value for name, value in charge.items() if value is not None}, png, svg, alone=local
        )

    made = click.command("pix", help=say("pix"))(pix)
    files = click.Path(path_type=Path, dir_okay=False, writable=True)
    own = [
        *(click.Option([_flag(name)], metavar=name.upper(), help=say(f"pix_{name}")) for name in FIELDS),
        click.Option(["--uso-unico/--reutilizavel"], default=None, help=say("pix_uso_unico")),
        click.Option(["--estrito"], is_flag=True, default=None, help=say("pix_estrito")),
        click.Option(["--png"], metavar="PATH", type=files, help=say("pix_png")),
        click.Option(["--svg"], metavar="PATH", type=files, help=say("pix_svg")),
        click.Option(["--local"], is_flag=True, help=say("local")),
    ]
    made.params[:0] = own
    return made


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _write(shell: Shell, charge: dict[str, Any], png: Path | None, svg: Path | None, *, alone: bool) -> int:
    _check_pictures(shell, png, svg)
    if alone:
        code = local.create_pix_code(shell.language, **charge)
    else:
        with shell.client() as client:
            code = client.create_pix_code(**charge)
    for step in code.ajustes:
        shell.remark(
            shell.say("adjusted", field=step.campo, before=step.de, after=step.para, reason=step.motivo)
        )
    for alert in code.alertas:
        shell.remark(f"{shell.say('warning')}: {alert.detalhe}")
    shell.show(code, [code.brcode])
    _draw(code, png, svg)
    return exits.OK


def _check_pictures(shell: Shell, png: Path | None, svg: Path | None) -> None:
    """See that pictures can be drawn, before a code is counted."""
    for flag, path in (("--png", png), ("--svg", svg)):
        if path and not os.access(path.parent, os.W_OK):
            raise Misuse(shell.say("bad_value", name=flag))
    if (png or svg) and not find_spec("segno"):
        raise Misuse(shell.say("qr_missing"))


def _draw(code: PixCode, png: Path | None, svg: Path | None) -> None:
    """The pictures, drawn here: the service would count another call for each."""
    from brcode import qr_png, qr_svg

    if png:
        png.write_bytes(qr_png(code.brcode))
    if svg:
        svg.write_text(qr_svg(code.brcode), encoding="utf-8")
