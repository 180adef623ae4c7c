"""Pix codes offline, with the answers of the service."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Unpack

import brcode
from brskills.errors import InvalidFields
from brskills.pix import (
    Adjustment,
    Alert,
    Charge,
    DecodedCode,
    DecodedFields,
    Finding,
    PixCode,
    Suggestion,
    Unknown,
)

NAMES = {
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
"""The public name of a field → its name in `brcode`."""

_PUBLIC = {internal: name for name, internal in NAMES.items()} | {"suggestion": "sugestao"}
_TITLES = {"pt": "Campos inválidos", "en": "Invalid fields"}


def create_pix_code(language: str = "pt", **charge: Unpack[Charge]) -> PixCode:
    """Return a code as `Client.create_pix_code` does. Raise `InvalidFields`."""
    given: Mapping[str, Any] = charge
    try:
        code = brcode.encode(**{NAMES[name]: value for name, value in given.items() if value is not None})
    except brcode.InvalidCharge as invalid:
        raise _invalid_fields(invalid, language) from None
    return PixCode(
        brcode=code.payload,
        tipo=code.kind,
        chave=code.key,
        tipo_chave=code.key_type,
        valor=None if code.amount is None else Decimal(code.amount),
        nome_recebedor=code.merchant_name,
        cidade=code.merchant_city,
        txid=code.txid,
        descricao=code.description,
        ajustes=tuple(
            Adjustment(_PUBLIC[step.field], step.before, step.after, step.reason) for step in code.adjustments
        ),
        alertas=tuple(
            Alert(_PUBLIC[str(alert.field)], alert.code, alert.detail(language, _PUBLIC))
            for alert in code.alerts
        ),
    )


def decode(text: str, language: str = "pt") -> DecodedCode:
    """Decode a text as `Client.decode` does."""
    found = brcode.decode(text)
    values: dict[str, Any] = {
        name: getattr(found.fields, field) for name, field in NAMES.items() if name != "estrito"
    }
    unknown = tuple(Unknown(path, value) for path, value in found.fields.unknown)
    return DecodedCode(
        valido=found.valid,
        tipo=found.kind,
        campos=DecodedFields(**values, desconhecidos=unknown),
        erros=tuple(_finding(issue, language) for issue in found.errors),
        alertas=tuple(_finding(issue, language) for issue in found.warnings),
        sugestao=Suggestion(*found.suggestion) if found.suggestion else None,
    )


def _finding(issue: brcode.Issue, language: str) -> Finding:
    field = _PUBLIC.get(issue.field, issue.field) if issue.field else None
    return Finding(issue.code, field, issue.detail(language, _PUBLIC), issue.reference)


def _invalid_fields(invalid: brcode.InvalidCharge, language: str) -> InvalidFields:
    issues = [
        {"campo": _PUBLIC[str(issue.field)], "code": issue.code, "detail": issue.detail(language, _PUBLIC)}
        for issue in invalid.issues
    ]
    title = _TITLES[language]
    members = {"status": 422, "code": "invalid_fields", "title": title, "detail": title, "errors": issues}
    return InvalidFields(members, {})
