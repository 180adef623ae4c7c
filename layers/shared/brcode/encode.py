"""Write a BR Code: static, dynamic, Pix Saque or Pix Automático.

>>> code = encode(
...     key="529.982.247-25", amount="49.9", merchant_name="Padaria São João", merchant_city="Belém"
... )
>>> code.kind.value, code.key, code.amount, code.merchant_name
('estatico', '52998224725', '49.90', 'Padaria Sao Joao')
>>> [(step.field, step.reason) for step in code.adjustments]
[('merchant_name', 'transliterado'), ('merchant_city', 'transliterado')]
"""

from __future__ import annotations

from brcode.amount import parse_amount
from brcode.charge import NO_TXID, UNKNOWN_MCC, prepare
from brcode.decode import decode
from brcode.errors import InvalidCharge
from brcode.keys import is_settled, parse_key
from brcode.model import Adjustment, BrCode, Kind
from brcode.regular import split, type_of
from brcode.text import transliterated
from brcode.write import write, write_static

TYPE_CHECKING = False
if TYPE_CHECKING:
    from decimal import Decimal
    from typing import Any

__all__ = ["encode"]


def encode(
    *,
    key: str | None = None,
    key_type: str | None = None,
    amount: str | int | Decimal | None = None,
    merchant_name: str | None = None,
    merchant_city: str | None = None,
    txid: str | None = None,
    description: str | None = None,
    postal_code: str | None = None,
    mcc: str | None = None,
    location: str | None = None,
    recurrence_location: str | None = None,
    withdrawal_ispb: str | None = None,
    single_use: bool | None = None,
    strict: bool = False,
) -> BrCode:
    """The code of a charge, read back before it is returned.

    What is given decides the kind (BCB Manual de Padrões para Iniciação do Pix v2.2 §1.5, §1.6; API Pix
    2.9.0): ``key`` alone is static, with ``withdrawal_ispb`` Pix Saque; ``location`` is dynamic;
    ``recurrence_location`` is Pix Automático, alone (jornada 2), with ``location`` (3) or with ``key`` (4).
    ``amount`` is in reais. Name (25 characters), city (15) and description become printable ASCII, and each
    step of that stands in ``adjustments``; with ``strict`` it is refused instead.

    Raises ``InvalidCharge`` with every faulty field at once.
    """
    if (
        strict is False
        and key_type is None
        and description is None
        and postal_code is None
        and mcc is None
        and location is None
        and recurrence_location is None
        and withdrawal_ispb is None
        and single_use is None
    ):
        code = _static(key, amount, merchant_name, merchant_city, txid)
        if code is not None:
            return code
    given = {
        "key": key,
        "key_type": key_type,
        "amount": amount,
        "merchant_name": merchant_name,
        "merchant_city": merchant_city,
        "txid": txid,
        "description": description,
        "postal_code": postal_code,
        "mcc": mcc,
        "location": location,
        "recurrence_location": recurrence_location,
        "withdrawal_ispb": withdrawal_ispb,
        "single_use": single_use,
    }
    kind, fields, adjustments = prepare(
        {field: value for field, value in given.items() if value is not None}, strict=strict
    )
    payload = write(fields)
    found = decode(payload)
    if found.errors or found.kind is not kind or found.fields != fields:
        raise RuntimeError("the code does not say what was asked for")  # none is better than a wrong one
    return BrCode._make((payload, kind, *fields[:7], adjustments))  # from key to description, in that order


def _static(key: object, amount: Any, name: object, city: object, txid: object) -> BrCode | None:
    """The code of a static charge with nothing wrong and no more than accents to adjust; else ``None``.

    What looks canonical is not checked before it is written: the reader that then finds just that in the code
    has proved it so. Whatever it does not find in canonical form is for ``prepare`` to mend or to refuse.
    """
    if not (isinstance(key, str) and isinstance(name, str) and isinstance(city, str)):
        return None
    try:
        if not (key.isalnum() or key[:1] == "+" or "@" in key or len(key) == 36):
            key = parse_key(key).value
        if amount is not None and not (isinstance(amount, str) and amount[-3:-2] == "."):
            amount = parse_amount(amount)
    except InvalidCharge:
        return None
    adjustments: tuple[Adjustment, ...] = ()
    if not name.isascii():
        name, adjustments = transliterated("merchant_name", name)
    if not city.isascii():
        city, steps = transliterated("merchant_city", city)
        adjustments += steps
    if txid is None:
        txid = NO_TXID
    elif not isinstance(txid, str):
        return None
    try:
        payload = write_static(key, amount, name, city, txid)
    except (IndexError, UnicodeEncodeError):  # too long for two digits, or half a surrogate pair
        return None
    if split(payload) != (key, amount, name, city, txid, None, None, UNKNOWN_MCC, None):
        return None
    key_type = type_of(key)
    if not is_settled(key, key_type):
        return None
    return BrCode(payload, Kind.ESTATICO, key, key_type, amount, name, city, txid, None, adjustments)
