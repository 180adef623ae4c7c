"""Write a BR Code: static, dynamic, Pix Saque or Pix Automático.

>>> code = encode(
...     key="529.982.247-25", amount="49.9", merchant_name="Padaria São João", merchant_city="Belém"
... )
>>> code.kind.value, code.key, code.amount, code.merchant_name
('estatico', '52998224725', '49.90', 'Padaria Sao Joao')
>>> [(step.field, step.reason) for step in code.adjustments]
[('merchant_name', 'transliterado'), ('merchant_city', 'transliterado')]
"""

from typing import Unpack

from brcode import canonical
from brcode.amount import parse_amount
from brcode.charge import prepare
from brcode.checks import NO_TXID
from brcode.crc import checksum
from brcode.decode import classify, decode
from brcode.errors import InvalidCharge, Issue
from brcode.fields import ACCOUNT, CONSTANTS, FIELDS, PLACED, RECURRENCE, SINGLE_USE
from brcode.key_forms import CHECK_DIGITS, is_valid_and_unambiguous
from brcode.keys import parse_key
from brcode.model import Adjustment, BrCode, Charge, Fields, Kind
from brcode.text import transliterate
from brcode.tlv import CRC, GUI, PIX_GUI, write_object

_COPIED_FIELDS: tuple[str, ...] = BrCode._fields[2:-2]
_FAST_PATH_PARAMETERS = frozenset(("key", "amount", "merchant_name", "merchant_city", "txid"))
_OTHER_DEFAULTS = tuple(
    field.default for field in canonical.STATIC_FIELDS if field.name not in _FAST_PATH_PARAMETERS
)

_INITIATION_METHODS = {single_use: method for method, single_use in SINGLE_USE.items()}
_GUI = write_object(GUI, PIX_GUI)
_PATHS = sorted((path, name) for name, path in PLACED.items())
_EMPTY_OBJECTS = dict.fromkeys(sorted(path[0] for path in (*PLACED.values(), *CONSTANTS)), "")
_EMPTY_OBJECTS |= {path[0]: text for path, text in CONSTANTS.items() if len(path) == 1} | {ACCOUNT: _GUI}


def encode(**charge: Unpack[Charge]) -> BrCode:
    """Return the code of a charge, decoded again to check it.

    The parameters are those of ``Charge``, and which are given decides the kind (BCB Manual de Padrões para
    Iniciação do Pix 2.10.0 §2.6 to §2.8): ``key`` alone is static, with ``withdrawal_ispb`` Pix Saque;
    ``location`` is dynamic; ``recurrence_location`` is Pix Automático, alone (jornada 2), with
    ``location`` (3) or with ``key`` (4). ``amount`` is in reais. Name, city and description become printable
    ASCII, each step of which is in ``adjustments``; ``strict`` forbids such steps. ``alerts`` are the
    warnings of ``decode`` for the code, and that of a dynamic one without ``single_use``.

    Raise ``InvalidCharge`` with every issue at once, and ``TypeError`` for an unknown parameter.
    """
    if not charge.keys() <= FIELDS.keys():
        unknown = min(charge.keys() - FIELDS.keys())
        raise TypeError(f"encode() got an unexpected keyword argument {unknown!r}")
    given = {name: value for name, value in charge.items() if value is not None or name == "strict"}
    if _FAST_PATH_PARAMETERS.issuperset(given) and (code := _encode_canonical(charge)) is not None:
        return code
    fields, adjustments = prepare(given)
    payload, kind = write(fields), classify(fields)
    found = decode(payload)
    if found.errors or found.kind is not kind or found.fields != fields:
        raise RuntimeError("the code does not hold the charge")  # never return a wrong code
    return BrCode._make(
        (
            *(payload, kind, *[getattr(fields, name) for name in _COPIED_FIELDS]),
            *(adjustments, found.warnings + _encode_alerts(fields)),
        )
    )


def _encode_canonical(charge: Charge) -> BrCode | None:
    """Return the code of a valid static charge with at most accents to adjust; ``None`` for any other.

    Values that look canonical are written unchecked. The pattern of ``canonical`` matches only canonical
    values, so those that it finds in the code are valid. ``prepare`` handles all other charges.
    """
    key, amount, txid = charge.get("key"), charge.get("amount"), charge.get("txid")
    name, city = charge.get("merchant_name"), charge.get("merchant_city")
    if txid is None:
        txid = NO_TXID
    if not (
        isinstance(key, str) and isinstance(name, str) and isinstance(city, str) and isinstance(txid, str)
    ):
        return None
    adjustments: tuple[Adjustment, ...] = ()
    if not name.isascii():
        name, adjustments = transliterate("merchant_name", name)
    if not city.isascii():
        city, steps = transliterate("merchant_city", city)
        adjustments += steps
    try:
        if not (key.isalnum() or key[:1] == "+" or "@" in key or len(key) == 36):
            key = parse_key(key).value
        if amount is not None and not (isinstance(amount, str) and amount[-3:-2] == "."):
            amount = parse_amount(amount)
        payload = canonical.encode_static_code(key, amount, name, city, txid)
    except (InvalidCharge, IndexError, UnicodeEncodeError):
        return None  # invalid, over 99 characters, or a lone surrogate
    found = canonical.match_static_code(payload)
    if found is None or canonical.values_of(found[0]) != (key, amount, name, city, txid, *_OTHER_DEFAULTS):
        return None
    key_type = found[1]
    if key_type in CHECK_DIGITS and not is_valid_and_unambiguous(key, key_type):
        return None
    values = (payload, Kind.ESTATICO, key, key_type, amount, name, city, txid, None)
    return BrCode._make((*values, adjustments, ()))


def _encode_alerts(fields: Fields) -> tuple[Issue, ...]:
    """Return the alerts of a charge that are none of its code: some banks want field 01 in a dynamic one."""
    if fields.location is not None and fields.single_use is None:
        return (Issue("single_use", "uso_unico_ausente", {}),)
    return ()


def write(fields: Fields) -> str:
    """Return the code that holds ``fields``, its objects in the order of their ids, as in BCB's examples."""
    objects = _EMPTY_OBJECTS.copy()
    for (tag, *inner), name in _PATHS:
        value = getattr(fields, name)
        if value is not None:
            text = _INITIATION_METHODS.get(value, value)
            objects[tag] += write_object(inner[0], text) if inner else text
    if objects[RECURRENCE]:
        objects[RECURRENCE] = _GUI + objects[RECURRENCE]
    code = "".join([write_object(tag, text) for tag, text in objects.items() if text]) + f"{CRC}04"
    return code + checksum(code.encode())
