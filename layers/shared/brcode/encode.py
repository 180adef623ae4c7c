"""Write a BR Code: static, dynamic, Pix Saque or Pix Automático.

>>> code = encode(key="529.982.247-25", amount="49.9", merchant_name="Padaria São João", merchant_city="Belém")
>>> code.kind.value, code.key, code.amount, code.merchant_name
('estatico', '52998224725', '49.90', 'Padaria Sao Joao')
>>> [(step.field, step.reason) for step in code.adjustments]
[('merchant_name', 'transliterado'), ('merchant_city', 'transliterado')]
"""

from decimal import Decimal

from brcode import regular
from brcode.charge import CITY_LIMIT, NAME_LIMIT, NO_TXID, UNKNOWN_MCC, prepare
from brcode.crc import checksum
from brcode.decode import decode
from brcode.keys import is_settled
from brcode.model import Adjustment, BrCode, Fields, Kind
from brcode.text import clean
from brcode.tlv import (
    AMOUNT,
    MERCHANT_CITY,
    MERCHANT_NAME,
    PIX_DESCRIPTION,
    PIX_GUI,
    PIX_KEY,
    PIX_LOCATION,
    PIX_WITHDRAWAL_ISPB,
    POSTAL_CODE,
    SIZES,
)

__all__ = ["encode"]

_GUI_OBJECT = f"00{len(PIX_GUI)}{PIX_GUI}"
_METHODS = {None: "", False: "010211", True: "010212"}


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

    What is given decides the kind (BCB Manual de Padrões para Iniciação do Pix v2.2 §1.5, §1.6; API Pix 2.9.0):
    ``key`` alone is static, with ``withdrawal_ispb`` Pix Saque; ``location`` is dynamic; ``recurrence_location``
    is Pix Automático, alone (jornada 2), with ``location`` (3) or with ``key`` (4). ``amount`` is in reais.
    Name (25 characters), city (15) and description become printable ASCII, and each step of that stands in
    ``adjustments``; with ``strict`` they are refused instead.

    Raises ``InvalidCharge`` with every faulty field at once.
    """
    if (
        strict is False
        and key_type is description is postal_code is mcc is None
        and location is recurrence_location is withdrawal_ispb is single_use is None
    ):
        code = _as_given(key, amount, merchant_name, merchant_city, txid)
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
    payload = _write(fields)
    if regular.read(payload) != fields:
        found = decode(payload)
        if found.errors or found.kind is not kind or found.fields != fields:
            raise RuntimeError(
                "the code does not say what was asked for"
            )  # never seen; better none than a wrong one
    return _finished(payload, kind, fields, adjustments)


def _as_given(key: object, amount: object, name: object, city: object, txid: object) -> BrCode | None:
    """The code of a static charge whose key, amount and txid are in canonical form; ``None`` for any other.

    Canonical values need no preparation, and the reader that finds them in the finished code has proved them so:
    to check each one first would be to check it twice.
    """
    if type(key) is not str or type(name) is not str or type(city) is not str:
        return None
    if (amount is not None and type(amount) is not str) or (txid is not None and type(txid) is not str):
        return None
    if len(key) > 77 or (amount and len(amount) > 13) or (txid and len(txid) > 25):
        return None
    name, name_steps = clean("merchant_name", name, NAME_LIMIT)
    city, city_steps = clean("merchant_city", city, CITY_LIMIT)
    payload = _write(
        Fields(key, None, amount, name, city, NO_TXID if txid is None else txid, mcc=UNKNOWN_MCC)
    )
    found = regular.read(payload)
    if (
        found is None
        or found.key_type is None
        or (found.key, found.amount, found.merchant_name, found.merchant_city) != (key, amount, name, city)
        or not is_settled(key, found.key_type)
    ):
        return None
    return _finished(payload, Kind.ESTATICO, found, name_steps + city_steps)


def _write(fields: Fields) -> str:
    """The code that holds ``fields``, in the order of BCB's own examples."""
    (
        key,
        _,
        amount,
        name,
        city,
        txid,
        description,
        postal_code,
        mcc,
        location,
        recurrence,
        ispb,
        single_use,
        _,
    ) = fields
    account = f"{_GUI_OBJECT}{PIX_KEY}{SIZES[len(key)]}{key}" if key else _GUI_OBJECT
    if description:
        account += f"{PIX_DESCRIPTION}{SIZES[len(description)]}{description}"
    if ispb:
        account += f"{PIX_WITHDRAWAL_ISPB}08{ispb}"
    if location:
        account += f"{PIX_LOCATION}{SIZES[len(location)]}{location}"
    code = (
        f"000201{_METHODS[single_use]}26{SIZES[len(account)]}{account}5204{mcc}5303986"
        f"{f'{AMOUNT}{SIZES[len(amount)]}{amount}' if amount is not None else ''}5802BR"
        f"{MERCHANT_NAME}{SIZES[len(name)]}{name}{MERCHANT_CITY}{SIZES[len(city)]}{city}"
        f"{f'{POSTAL_CODE}08{postal_code}' if postal_code else ''}"
        f"62{SIZES[len(txid) + 4]}05{SIZES[len(txid)]}{txid}"
    )
    if recurrence:
        code += (
            f"80{SIZES[len(recurrence) + 22]}{_GUI_OBJECT}{PIX_LOCATION}{SIZES[len(recurrence)]}{recurrence}"
        )
    code += "6304"
    return code + checksum(code)


def _finished(payload: str, kind: Kind, fields: Fields, adjustments: tuple[Adjustment, ...]) -> BrCode:
    key, key_type, amount, name, city, txid, description, *_ = fields
    return BrCode(payload, kind, key, key_type, amount, name, city, txid, description, adjustments)
