"""Pix BR Codes: write them, read them, draw them.

Pure: no network, no environment, no logging. Amounts are exact (``str``, ``int``, ``Decimal``), never floats.

>>> from brcode import decode, encode
>>> code = encode(key="fulano@example.com", amount="10.00", merchant_name="Fulano", merchant_city="Belem")
>>> decode(code.payload).fields.amount
'10.00'
"""

from brcode.amount import parse_amount
from brcode.decode import Decoded, decode
from brcode.encode import encode
from brcode.errors import InvalidCharge, Issue
from brcode.keys import parse_key
from brcode.model import Adjustment, BrCode, Fields, KeyType, Kind, PixKey
from brcode.qr import qr_png, qr_svg

__all__ = [
    "Adjustment",
    "BrCode",
    "Decoded",
    "Fields",
    "InvalidCharge",
    "Issue",
    "KeyType",
    "Kind",
    "PixKey",
    "decode",
    "encode",
    "parse_amount",
    "parse_key",
    "qr_png",
    "qr_svg",
]
