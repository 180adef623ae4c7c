"""Codes without the service: the same answers, by the same package that the service runs.

Needs neither a key nor the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Unpack

import brcode
from brskills.errors import InvalidFields
from brskills.pix import Adjustment, Alert, Charge, DecodedCode, DecodedFields, Finding, PixCode, Unknown

__all__ = ["NAMES", "create_pix_code", "decode"]

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
"""A field's public name, and its name in ``brcode``."""

_PUBLIC = {own: name for name, own in NAMES.items()}
_TITLES = {"pt": "Campos inválidos", "en": "Invalid fields"}


def create_pix_code(language: str = "pt", **charge: Unpack[Charge]) -> PixCode:
    """A code, as ``Client.create_pix_code`` gives it; raises ``InvalidFields``."""
    given: Mapping[str, Any] = charge
    try:
        code = brcode.encode(**{NAMES[name]: value for name, value in given.items() if value is not None})
    except brcode.InvalidCharge as invalid:
        raise _refusal(invalid, language) from None
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
    """What is in a text, as ``Client.decode`` gives it."""
    found = brcode.decode(text)
    values: dict[str, Any] = {
        name: getattr(found.fields, own) for name, own in NAMES.items() if own != "strict"
    }
    unknown = tuple(Unknown(path, value) for path, value in found.fields.unknown)
    return DecodedCode(
        valido=found.valid,
        tipo=found.kind,
        campos=DecodedFields(**values, desconhecidos=unknown),
        erros=tuple(_finding(issue, language) for issue in found.errors),
        alertas=tuple(_finding(issue, language) for issue in found.warnings),
    )


def _finding(issue: brcode.Issue, language: str) -> Finding:
    field = _PUBLIC.get(issue.field, issue.field) if issue.field else None
    return Finding(issue.code, field, issue.detail(language, _PUBLIC), issue.reference)


def _refusal(invalid: brcode.InvalidCharge, language: str) -> InvalidFields:
    faults = [
        {"campo": _PUBLIC[str(issue.field)], "code": issue.code, "detail": issue.detail(language, _PUBLIC)}
        for issue in invalid.issues
    ]
    title = _TITLES[language]
    members = {"status": 422, "code": "invalid_fields", "title": title, "detail": title, "errors": faults}
    return InvalidFields(members, {})
