"""The one place where a code is put together, in the order of BCB's own examples."""

from brcode.crc import checksum
from brcode.model import Fields
from brcode.tlv import (
    GUI,
    PIX_DESCRIPTION,
    PIX_GUI,
    PIX_KEY,
    PIX_LOCATION,
    PIX_WITHDRAWAL_ISPB,
    POSTAL_CODE,
    SIZES,
)

__all__ = ["write", "write_static"]

_PIX = f"{GUI}{len(PIX_GUI)}{PIX_GUI}"
_METHODS = {None: "", False: "010211", True: "010212"}


def write(fields: Fields) -> str:
    """The code that holds ``fields``, whatever its kind."""
    account = _PIX
    for tag, value in (
        (PIX_KEY, fields.key),
        (PIX_DESCRIPTION, fields.description),
        (PIX_WITHDRAWAL_ISPB, fields.withdrawal_ispb),
        (PIX_LOCATION, fields.location),
    ):
        if value:
            account += _object(tag, value)
    place = fields.recurrence_location
    return _write(
        account,
        fields.amount,
        fields.merchant_name or "",
        fields.merchant_city or "",
        fields.txid or "",
        method=_METHODS[fields.single_use],
        mcc=fields.mcc or "",
        postal_code=_object(POSTAL_CODE, fields.postal_code) if fields.postal_code else "",
        recurrence=_object("80", _PIX + _object(PIX_LOCATION, place)) if place else "",
    )


def write_static(key: str, amount: str | None, name: str, city: str, txid: str) -> str:
    """The code of a static charge that has nothing else to it.

    Raises ``IndexError`` for a value longer than two digits can say.
    """
    return _write(f"{_PIX}{PIX_KEY}{SIZES[len(key)]}{key}", amount, name, city, txid)


def _write(
    account: str,
    amount: str | None,
    name: str,
    city: str,
    txid: str,
    *,
    method: str = "",
    mcc: str = "0000",
    postal_code: str = "",
    recurrence: str = "",
) -> str:
    """``account`` is what stands in template 26; the last four are whole objects, or nothing."""
    code = (
        f"000201{method}26{SIZES[len(account)]}{account}5204{mcc}5303986"  # 52 MCC, 53 currency
        f"{f'54{SIZES[len(amount)]}{amount}' if amount else ''}5802BR"
        f"59{SIZES[len(name)]}{name}60{SIZES[len(city)]}{city}{postal_code}"
        f"62{SIZES[len(txid) + 4]}05{SIZES[len(txid)]}{txid}{recurrence}6304"
    )
    return code + checksum(code.encode())


def _object(tag: str, value: str) -> str:
    return f"{tag}{SIZES[len(value)]}{value}"
