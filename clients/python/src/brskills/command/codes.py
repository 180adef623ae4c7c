"""``brskills pix``, ``decode`` and ``conferir``: Pix codes, with the service or offline."""

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from brcode import qr_png, qr_svg
from brskills import local
from brskills.command.errors import Exit, Misuse
from brskills.command.shell import Shell
from brskills.command.texts import Say
from brskills.pix import DecodedCode, PayeeCheck


def write_code(shell: Shell, offline: bool, png: Path | None, svg: Path | None, **fields: Any) -> Exit:
    """Write a code, and its QR pictures if requested."""
    _check_pictures(shell, png, svg)  # before a code is counted
    charge = {name: value for name, value in fields.items() if value is not None}
    if offline:
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
    # Drawn here: the service would count another call for each picture.
    if png:
        png.write_bytes(qr_png(code.brcode))
    if svg:
        svg.write_text(qr_svg(code.brcode), encoding="utf-8")
    return Exit.OK


def decode_code(shell: Shell, code: str | None, offline: bool) -> Exit:
    """Show the fields of a code and the rules that it breaks."""
    text = _read_code(code)
    if offline:
        found = local.decode(text, shell.language)
    else:
        with shell.client() as client:
            found = client.decode(text)
    shell.show(found, _decoded_lines(found, shell.say))
    return Exit.OK if found.valido else Exit.INVALID_CODE


def check_payee(shell: Shell, code: str | None, chave: str | None, **rest: str | None) -> Exit:
    """Check the payee of a code or a key against the register."""
    text = code if chave is not None else _read_code(code)
    with shell.client() as client:
        found = client.conferir(text, chave=chave, **rest)
    shell.show(found, _payee_lines(found, shell.say))
    return Exit.INVALID_CODE if found.alertas else Exit.OK


def _check_pictures(shell: Shell, png: Path | None, svg: Path | None) -> None:
    """Raise `Misuse` if a picture cannot be drawn or written."""
    for flag, path in (("--png", png), ("--svg", svg)):
        if path and not os.access(path.parent, os.W_OK):
            raise Misuse(shell.say("bad_value", name=flag))
    if (png or svg) and not find_spec("segno"):
        raise Misuse(shell.say("qr_missing"))


def _read_code(code: str | None) -> str:
    """Return the argument, or standard input without its final line end."""
    if code is not None and code != "-":
        return code
    return sys.stdin.read().rstrip("\r\n")


def _decoded_lines(found: DecodedCode, say: Say) -> Iterator[str]:
    yield f"{say('valid' if found.valido else 'invalid')}{f' ({found.tipo})' if found.tipo else ''}"
    for name, value in asdict(found.campos).items():
        if name != "desconhecidos" and value is not None:
            yield f"  {name}: {value}"
    for unknown in found.campos.desconhecidos:
        yield f"  {unknown.id}: {unknown.valor}"
    for kind, findings in (("error", found.erros), ("warning", found.alertas)):
        for finding in findings:
            yield f"{say(kind)}: {finding.detalhe} [{finding.regra}; {finding.referencia}]"


def _payee_lines(found: PayeeCheck, say: Say) -> Iterator[str]:
    yield f"chave: {found.chave or '—'}"
    yield f"nome_recebedor: {found.nome_recebedor or '—'} ({found.nome})"
    if payee := found.recebedor:
        yield f"razao_social: {payee.razao_social}"
        if payee.nome_fantasia:
            yield f"nome_fantasia: {payee.nome_fantasia}"
        yield f"situacao_cadastral: {payee.situacao_cadastral.descricao or '—'}"
    if found.evidencia:
        yield f"fonte: {found.evidencia.fonte}, {found.evidencia.data_base or '—'}"
    for alert in found.alertas:
        yield f"{say('warning')}: {alert.detalhe} [{alert.codigo}]"
