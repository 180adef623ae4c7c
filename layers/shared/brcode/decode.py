"""Read a BR Code: what is in it, and every rule it breaks.

>>> code = ("00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR"
...         "5913Fulano de Tal6008BRASILIA62070503***63041D3D")
>>> decoded = decode(code)
>>> decoded.valid, decoded.kind.value, decoded.fields.merchant_name
(True, 'estatico', 'Fulano de Tal')
>>> [finding.rule for finding in decode(code[:-1]).errors]
['object_truncated']
"""

from __future__ import annotations

from brcode import regular
from brcode.frame import check_crc, check_frame
from brcode.keys import has_check_digits
from brcode.model import Fields, Kind
from brcode.record import Record
from brcode.rules import WARNINGS, Finding
from brcode.shape import Shape
from brcode.templates import check_account, check_key, check_recurrence, find_account
from brcode.tlv import (
    ADDITIONAL_DATA,
    ADDITIONAL_DATA_TXID,
    AMOUNT,
    COUNTRY,
    CRC,
    CURRENCY,
    GUI,
    INITIATION_METHOD,
    MCC,
    MERCHANT_CITY,
    MERCHANT_NAME,
    PAYLOAD_FORMAT,
    PIX_DESCRIPTION,
    PIX_GUI,
    PIX_KEY,
    PIX_LOCATION,
    PIX_WITHDRAWAL_ISPB,
    POSTAL_CODE,
    UNRESERVED_TEMPLATES,
)
from brcode.values import check_txid, check_values

__all__ = ["Decoded", "decode"]

_NAMED = frozenset(
    (
        PAYLOAD_FORMAT,
        INITIATION_METHOD,
        MCC,
        CURRENCY,
        AMOUNT,
        COUNTRY,
        MERCHANT_NAME,
        MERCHANT_CITY,
        POSTAL_CODE,
        CRC,
    )
)
_NAMED_IN_ACCOUNT = frozenset((GUI, PIX_KEY, PIX_DESCRIPTION, PIX_WITHDRAWAL_ISPB, PIX_LOCATION))
_NAMED_IN_RECURRENCE = frozenset((GUI, PIX_LOCATION))
_NAMED_IN_ADDITIONAL_DATA = frozenset((ADDITIONAL_DATA_TXID,))


class Decoded(Record):
    """What a text holds: ``errors`` break a norm, ``warnings`` are legal and yet better not written."""

    kind: Kind | None
    fields: Fields
    errors: tuple[Finding, ...]
    warnings: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """Whether no norm is broken."""
        return not self.errors


def decode(text: str) -> Decoded:
    """What any text holds as a BR Code; never raises for a ``str``, whatever is in it.

    ``kind`` is ``None`` for what cannot be read to its end or is no Pix code.
    """
    fields = regular.read(text)
    if (
        fields is not None
        and fields.key
        and fields.key_type
        and has_check_digits(fields.key, fields.key_type)
    ):
        return Decoded(Kind.ESTATICO, fields, (), ())
    shape = Shape(text)
    fields = _inspect(shape)
    return Decoded(
        _kind(fields) if shape.whole else None,
        fields,
        tuple([finding for finding in shape.findings if finding.rule not in WARNINGS]),
        tuple([finding for finding in shape.findings if finding.rule in WARNINGS]),
    )


def _inspect(shape: Shape) -> Fields:
    """Apply every rule; what the code holds."""
    single_use = check_frame(shape)
    account_id = find_account(shape)
    recurrence = check_recurrence(shape)
    account: dict[str, str] = {}
    if account_id is not None:
        account = shape.templates[account_id]
        check_account(shape, account_id, recurrence)
    key, location = account.get(PIX_KEY), account.get(PIX_LOCATION)
    key_type = None if key is None else check_key(shape, key)
    static = key is not None and location is None
    check_values(shape, static=static)
    txid = check_txid(shape, static=static)
    check_crc(shape)
    root = shape.root.get
    return Fields(
        key,
        key_type,
        root(AMOUNT),
        root(MERCHANT_NAME),
        root(MERCHANT_CITY),
        txid,
        account.get(PIX_DESCRIPTION),
        root(POSTAL_CODE),
        root(MCC),
        location,
        recurrence,
        account.get(PIX_WITHDRAWAL_ISPB),
        single_use,
        tuple(_unknown(shape, account_id)),
    )


def _kind(fields: Fields) -> Kind | None:
    if fields.recurrence_location is not None:
        return Kind.RECORRENCIA if fields.key is None and fields.location is None else Kind.COMPOSTO
    if fields.location is not None:
        return Kind.DINAMICO
    if fields.key is None:
        return None
    return Kind.ESTATICO if fields.withdrawal_ispb is None else Kind.SAQUE


def _unknown(shape: Shape, account_id: str | None) -> list[tuple[str, str]]:
    """What has no place in ``Fields``, in the order of the code."""
    unknown = []
    for tag, value in shape.root.items():
        if tag in _NAMED:
            continue
        objects = shape.templates.get(tag)
        if not objects:
            unknown.append((tag, value))
            continue
        named: frozenset[str] = frozenset()
        if tag == account_id:
            named = _NAMED_IN_ACCOUNT
        elif tag == ADDITIONAL_DATA:
            named = _NAMED_IN_ADDITIONAL_DATA
        elif tag in UNRESERVED_TEMPLATES and objects.get(GUI, "").lower() == PIX_GUI:
            named = _NAMED_IN_RECURRENCE
        unknown += [(f"{tag}-{sub}", inner) for sub, inner in objects.items() if sub not in named]
    return unknown
