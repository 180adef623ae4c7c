r"""Parsing Pix keys as people write them into the canonical forms of DICT (BCB API DICT 2.12.1).

A mask determines the type; eleven bare digits may be a CPF or a mobile number, and ten a landline or a CPF
that lost its zero in a spreadsheet. About one phone number in a hundred has the check digits of a CPF, so a
key with both readings is an issue: a guess could send the money to another person. For the same reason no key
is zero-padded and no check digit corrected.

DICT stores a random key as a UUID with hyphens. 32 hexadecimal digits without them are put into that form: no
other key is as long, and one that is not registered pays nobody. So is a UUID that a line break divides.

>>> parse_key("529.982.247-25")
PixKey(type=<KeyType.CPF: 'cpf'>, value='52998224725')
>>> parse_key("(11) 98765-4321").value, parse_key("12.abc.345/01de-35").value
('+5511987654321', '12ABC34501DE35')
"""

import re

from brcode.errors import InvalidCharge
from brcode.key_forms import (
    KEY_LIMIT,
    check_digits_match,
    in_numbering_plan,
    is_valid_and_unambiguous,
    key_form,
    restore_zeros,
)
from brcode.key_hints import could_be_mobile, invalid_key_hints, looks_like_account
from brcode.model import KeyType, PixKey
from brcode.tlv import is_digits
from taxid import cnpj, cpf

_TYPES = {str(key_type): key_type for key_type in KeyType}
_LOCAL_PHONE = (
    r"(?:\+?55[ .-]?)?(?:\(([0-9]{2})\)|([0-9]{2}))[ .-]?"
    r"(?:(9)[ .]?([0-9]{4})|([2-5][0-9]{3}))[ .-]?([0-9]{4})"
)
_PHONE_MARKS = str.maketrans("", "", " ().-")
# White space and the invisible marks that a number copied from a phone book or a page may bring
_STRIPPED = "".join(map(chr, (*range(9, 14), 32, 0xA0, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x202F,
                            *range(0x2060, 0x206A), 0xFEFF)))  # fmt: skip
_UNBROKEN = str.maketrans("", "", _STRIPPED)


def parse_key(key: str, key_type: str | None = None) -> PixKey:
    """Return the type and the canonical form of a key, masked or not.

    ``key_type`` (a value of ``KeyType``) is needed only where the key has two readings. Raise
    ``InvalidCharge`` with ``invalid_type``, ``invalid_key_type``, ``required``, ``too_long``,
    ``invalid_characters``, ``invalid_key``, ``invalid_check_digits``, ``key_type_mismatch`` or
    ``ambiguous_key``.
    """
    wanted = None if key_type is None else _parse_type(key_type)
    if not isinstance(key, str):
        raise InvalidCharge.of("key", "invalid_type", expected="text", got=type(key).__name__)
    form = key_form(key)
    if form is not None and wanted in (None, form) and in_numbering_plan(key):
        certain = is_valid_and_unambiguous(key, form) if wanted is None else check_digits_match(key, form)
        if certain:
            return PixKey(form, key)
    text = _normalize(key)
    return _choose(text, _readings(text), wanted)


def _parse_type(key_type: object) -> KeyType:
    if not isinstance(key_type, str):
        raise InvalidCharge.of("key_type", "invalid_type", expected="text", got=type(key_type).__name__)
    try:
        return _TYPES[key_type]
    except KeyError:
        raise InvalidCharge.of("key_type", "invalid_key_type", allowed=", ".join(_TYPES)) from None


def _normalize(key: str) -> str:
    text = key.strip(_STRIPPED)
    if not text:
        raise InvalidCharge.of("key", "required")
    if len(text) >= 32 and key_form(unbroken := _uuid(text.translate(_UNBROKEN))) is KeyType.ALEATORIA:
        return unbroken
    if not (text.isascii() and text.isprintable()):
        if (number := cnpj.compact(text)) and cnpj.is_valid(number):  # no other key has this form
            return number
        kind = "email" if "@" in text else "account" if looks_like_account(text) else ""
        raise InvalidCharge.of("key", "invalid_characters", **({"looks": kind} if kind else {}))
    if len(text) > KEY_LIMIT:
        looks = {"looks": "code"} if text.startswith("000201") else {}
        raise InvalidCharge.of("key", "too_long", case="key", limit=KEY_LIMIT, length=len(text), **looks)
    return " ".join(text.split())


def _readings(text: str) -> dict[KeyType, str]:
    """Return the canonical key by each type that ``text`` can be read as.

    Only eleven digits can have two: the other forms exclude each other, lost zeros aside.
    """
    if "@" in text:
        return _reading(KeyType.EMAIL, text.lower())
    digits = text.translate(_PHONE_MARKS)
    if is_digits(digits, 11):
        return _readings_of_eleven(text, digits)
    return (
        _reading(KeyType.TELEFONE, _phone(text))
        or _reading(KeyType.CNPJ, cnpj.compact(text))
        or _reading(KeyType.ALEATORIA, text)
    )


def _readings_of_eleven(text: str, digits: str) -> dict[KeyType, str]:
    """Return the readings of eleven digits: both, unless a mask shows a CPF (``-NN``) or a phone."""
    if text[-3] == "-":
        return _reading(KeyType.CPF, cpf.compact(text))
    if text[0] == "(" or text[2] in " .-" or text[-5] == "-":
        return _reading(KeyType.TELEFONE, _phone(text))
    phone = f"+55{digits}"
    return {KeyType.CPF: digits} | ({KeyType.TELEFONE: phone} if in_numbering_plan(phone) else {})


def _reading(key_type: KeyType, value: str | None) -> dict[KeyType, str]:
    return {key_type: value} if value and key_form(value) is key_type else {}


def _phone(text: str) -> str | None:
    local = re.fullmatch(_LOCAL_PHONE, text)
    if local:
        number = "+55" + "".join(filter(None, local.groups()))
    elif text[0] == "+":
        number = text.translate(_PHONE_MARKS)
    else:
        return None
    return number if in_numbering_plan(number) else None


def _uuid(text: str) -> str:
    bare = text.lower().removeprefix("urn:uuid:").removeprefix("{").removesuffix("}")
    if len(bare) == 32:
        bare = f"{bare[:8]}-{bare[8:12]}-{bare[12:16]}-{bare[16:20]}-{bare[20:]}"
    return bare


def _choose(text: str, readings: dict[KeyType, str], wanted: KeyType | None) -> PixKey:
    valid = {key_type: value for key_type, value in readings.items() if check_digits_match(value, key_type)}
    lost = restore_zeros(text)
    if wanted is None:
        if valid and len(valid | lost) > 1:
            params: dict[str, str | int] = {str(name): value for name, value in (valid | lost).items()}
            for number in lost:
                params |= {"case": "lost_zeros", "type": number, "count": len(text)}
            raise InvalidCharge.of("key", "ambiguous_key", **params)
        if valid:
            return PixKey(*valid.popitem())
        if readings:
            looks = {"looks": "or_phone"} if could_be_mobile(text) else {}
            raise InvalidCharge.of("key", "invalid_check_digits", type=next(iter(readings)), **looks)
        raise InvalidCharge.of("key", "invalid_key", **invalid_key_hints(text))
    if wanted in valid:
        return PixKey(wanted, valid[wanted])
    if valid and wanted not in lost:
        raise InvalidCharge.of("key_type", "key_type_mismatch", wanted=wanted, found="/".join(valid))
    if wanted in readings:
        raise InvalidCharge.of("key", "invalid_check_digits", type=wanted)
    raise InvalidCharge.of("key", "invalid_key", **invalid_key_hints(text, wanted))
