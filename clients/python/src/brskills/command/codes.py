"""``brskills pix`` and ``decode``: Pix codes, with the service or offline."""

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from brcode import qr_png, qr_svg
from brskills import local
from brskills.command.amount import plain_amount
from brskills.command.errors import Exit, Misuse
from brskills.command.language import Texts
from brskills.command.shell import Shell
from brskills.pix import DecodedCode


def write_code(shell: Shell, offline: bool, png: Path | None, svg: Path | None, **fields: Any) -> Exit:
    """Write a code, and its QR images if requested."""
    _check_image_files(shell, png, svg)  # before a code is counted
    charge = {name: value for name, value in fields.items() if value is not None}
    if "valor" in charge:
        charge["valor"] = plain_amount(charge["valor"], shell.text)
    if offline:
        code = local.create_pix_code(shell.language, **charge)
    else:
        with shell.client() as client:
            code = client.create_pix_code(**charge)
    for step in code.ajustes:
        shell.log(
            shell.text("adjusted", field=step.campo, before=step.de, after=step.para, reason=step.motivo)
        )
    for alert in code.alertas:
        shell.log(f"{shell.text('warning')}: {alert.detalhe}")
    shell.show(code, [code.brcode])
    # Drawn here: the service would count another call for each image.
    if png:
        png.write_bytes(qr_png(code.brcode))
    if svg:
        svg.write_text(qr_svg(code.brcode), encoding="utf-8")
    return Exit.OK


def decode_code(shell: Shell, code: str | None, offline: bool) -> Exit:
    """Show the fields of a code and the rules that it breaks."""
    brcode = read_code(code)
    if offline:
        found = local.decode(brcode, shell.language)
    else:
        with shell.client() as client:
            found = client.decode(brcode)
    shell.show(found, _decoded_lines(found, shell.text))
    return Exit.OK if found.valido else Exit.INVALID_CODE


def _check_image_files(shell: Shell, png: Path | None, svg: Path | None) -> None:
    """Raise `Misuse` if an image cannot be drawn or written."""
    for flag, path in (("--png", png), ("--svg", svg)):
        if path and not os.access(path.parent, os.W_OK):
            raise Misuse(shell.text("bad_value", name=flag))
    if (png or svg) and not find_spec("segno"):
        raise Misuse(shell.text("qr_missing"))


def read_code(code: str | None) -> str:
    """Return the argument, or standard input without its final line end."""
    if code is not None and code != "-":
        return code
    return sys.stdin.read().rstrip("\r\n")


def _decoded_lines(found: DecodedCode, text: Texts) -> Iterator[str]:
    yield f"{text('valid' if found.valido else 'invalid')}{f' ({found.tipo})' if found.tipo else ''}"
    for name, value in asdict(found.campos).items():
        if name != "desconhecidos" and value is not None:
            yield f"  {name}: {value}"
    for unknown in found.campos.desconhecidos:
        yield f"  {unknown.id}: {unknown.valor}"
    if found.sugestao:
        yield f"{text('suggestion')}: {found.sugestao.brcode}"
    for kind, findings in (("error", found.erros), ("warning", found.alertas)):
        for finding in findings:
            yield f"{text(kind)}: {finding.detalhe} [{finding.regra}; {finding.referencia}]"
