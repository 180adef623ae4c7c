"""The Pix skill: a BR Code from a request, and what is in a code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import brcode
from skills.pix_models import (
    Adjustment,
    DecodedFields,
    DecodeFinding,
    DecodeRequest,
    DecodeResult,
    PixCode,
    PixRequest,
    Unknown,
)
from web.body import check_shape
from web.problem import InvalidFields

if TYPE_CHECKING:
    from access import Session

__all__ = ["create", "decode"]

_EMV_NAMES = {
    "chave": "key",
    "tipo_chave": "key_type",
    "valor": "amount",
    "nome_recebedor": "merchant_name",
    "cidade": "merchant_city",
    "txid": "txid",
    "descricao": "description",
    "cep": "postal_code",
    "mcc": "mcc",
    "url": "location",
    "url_recorrencia": "recurrence_location",
    "ispb_saque": "withdrawal_ispb",
    "uso_unico": "single_use",
    "estrito": "strict",
}
_PUBLIC_NAMES = {emv: public for public, emv in _EMV_NAMES.items()}


@dataclass(frozen=True, slots=True)
class _PublicIssue:
    """An issue of the encoder under the field's public name."""

    issue: brcode.Issue

    @property
    def field(self) -> str:
        return _PUBLIC_NAMES[self.issue.field]

    @property
    def code(self) -> str:
        return self.issue.code

    def detail(self, language: str) -> str:
        return self.issue.detail(language, _PUBLIC_NAMES)


def create(content: dict[str, Any], session: Session) -> PixCode:
    """Check a request, write its code and count the call.

    Raises ``InvalidFields`` with the faults of shape and of substance together, before anything is
    counted; then whatever :meth:`access.Session.reserve` raises.
    """
    _, faults = check_shape(PixRequest, content)
    faulty = {fault.field for fault in faults}
    sound = {
        _EMV_NAMES[name]: value for name, value in content.items() if name not in faulty and value is not None
    }
    try:
        code = brcode.encode(**sound)
    except brcode.InvalidCharge as invalid:
        issues = [_PublicIssue(issue) for issue in invalid.issues]
        raise InvalidFields([*faults, *(issue for issue in issues if issue.field not in faulty)]) from None
    if faults:
        raise InvalidFields(faults)
    session.reserve()
    return _as_answer(code)


def decode(content: dict[str, Any], language: str) -> DecodeResult:
    """What is in a code, with texts in ``pt`` or ``en``; raises ``InvalidFields`` for a bad request only."""
    request, faults = check_shape(DecodeRequest, content)
    if request is None:
        raise InvalidFields(faults)
    found = brcode.decode(request.brcode)
    fields = {public: getattr(found.fields, emv) for public, emv in _EMV_NAMES.items() if emv != "strict"}
    unknown = [Unknown(id=path, valor=value) for path, value in found.fields.unknown]
    return DecodeResult(
        valido=found.valid,
        tipo=found.kind,
        campos=DecodedFields(**fields, desconhecidos=unknown),
        erros=[_as_finding(finding, language) for finding in found.errors],
        alertas=[_as_finding(finding, language) for finding in found.warnings],
    )


def _as_answer(code: brcode.BrCode) -> PixCode:
    return PixCode(
        brcode=code.payload,
        tipo=code.kind.value,
        chave=code.key,
        tipo_chave=code.key_type.value if code.key_type else None,
        valor=code.amount,
        nome_recebedor=code.merchant_name,
        cidade=code.merchant_city,
        txid=code.txid,
        descricao=code.description,
        ajustes=[
            Adjustment(
                campo=_PUBLIC_NAMES[change.field], de=change.before, para=change.after, motivo=change.reason
            )
            for change in code.adjustments
        ],
    )


def _as_finding(finding: brcode.Finding, language: str) -> DecodeFinding:
    return DecodeFinding(
        regra=finding.rule,
        campo=_PUBLIC_NAMES.get(finding.field, finding.field) if finding.field else None,
        detalhe=finding.detail(language, _PUBLIC_NAMES),
        referencia=finding.reference,
    )
