"""``brskills conferir``: the payee of a code."""

from collections.abc import Iterator
from typing import Any

from brskills.command.codes import read_code
from brskills.command.errors import Exit
from brskills.command.language import Texts
from brskills.command.shell import Shell
from brskills.payee import PayeeCheck, SignedCharge


def check_payee(
    shell: Shell,
    code: str | None,
    aceitar_desconhecido: bool,
    **given: Any,
) -> Exit:
    """Check the payee of a code, a key or a location against the register.

    ``aceitar_desconhecido``: a name that cannot be compared does not change the exit code.
    """
    locations = [given[name] for name in ("url", "url_recorrencia") if given[name] is not None]
    given["seguir"] = given["seguir"] or bool(locations) or None  # a location is named only to be followed
    brcode = code if locations or given["chave"] is not None else read_code(code)
    with shell.client() as client:
        found = client.conferir(brcode, **given)
    shell.show(found, [*_signed_lines(found), *_payee_lines(found, shell.text)])
    accepted = {"nome_nao_comparado"} if aceitar_desconhecido else set[str]()
    return Exit.INVALID_CODE if {alert.codigo for alert in found.alertas} - accepted else Exit.OK


def _signed_lines(found: PayeeCheck) -> Iterator[str]:
    if found.assinatura is None:
        return
    yield f"assinatura: {_listed(found.assinatura.estado, *found.assinatura.motivos)}"
    signer = found.assinatura.certificado
    if signer and found.assinatura.estado != "invalida":  # else its holder did not sign this
        yield f"certificado: {_listed(signer.titular, signer.organizacao, signer.cnpj, signer.nivel)}"
    if found.psp:
        yield f"psp: {found.psp.nome} ({found.psp.ispb})"
    if found.cobranca:
        yield from _charge_lines(found.cobranca)


def _charge_lines(charge: SignedCharge) -> Iterator[str]:
    yield f"cobranca: {_listed(charge.tipo, charge.status)}"
    described: dict[str, object] = {
        "valor": charge.valor, "vencimento": charge.vencimento, "expira_em": charge.expira_em,
    }  # fmt: skip
    if (cash := charge.retirada) is not None:
        described["retirada"] = _listed(cash.tipo, cash.valor)
    if (receiver := charge.recebedor) is not None:
        described["recebedor"] = _listed(receiver.nome, receiver.nome_fantasia, receiver.cnpj)
    if (terms := charge.recorrencia) is not None:
        described["recorrencia"] = _listed(
            terms.objeto, terms.periodicidade, terms.valor, terms.inicio, terms.fim, terms.retentativa
        )
        described["valor_minimo"] = terms.valor_minimo
    for name, value in described.items():
        if value is not None:
            yield f"{name}: {value}"


def _listed(*parts: object) -> str:
    return ", ".join(str(part) for part in parts if part is not None)


def _payee_lines(found: PayeeCheck, text: Texts) -> Iterator[str]:
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
        yield f"{text('warning')}: {alert.detalhe} [{alert.codigo}]"
