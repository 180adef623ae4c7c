r"""Pix keys in the five canonical forms of DICT (BCB DICT API 1.8).

A mask says what a key is; eleven bare digits may be a CPF or a mobile number. About one mobile number in a
hundred carries the check digits of a CPF, so where both readings hold nothing is guessed: the money would go
to somebody else. Nor is a key ever zero-padded or its check digits mended.

>>> parse_key("529.982.247-25")
PixKey(type=<KeyType.CPF: 'cpf'>, value='52998224725')
>>> parse_key("(11) 98765-4321").value, parse_key("12.abc.345/01de-35").value
('+5511987654321', '12ABC34501DE35')
"""

import re
from collections.abc import Callable

from brcode.errors import InvalidCharge, Issue
from brcode.model import KeyType, PixKey
from brcode.tlv import is_digits
from taxid import cnpj, cpf

__all__ = [
    "AREA_CODES",
    "EVP",
    "has_check_digits",
    "in_numbering_plan",
    "is_settled",
    "key_form",
    "parse_key",
]

_LONGEST = 77  # field 26-01
_TYPES = {str(key_type): key_type for key_type in KeyType}
_TAX_NUMBERS: dict[KeyType, Callable[[str], bool]] = {KeyType.CPF: cpf.is_valid, KeyType.CNPJ: cnpj.is_valid}

AREA_CODES = frozenset(
    f"{tens}{unit}"
    for tens, units in enumerate(
        (
            "123456789",
            "12478",
            "1234578",
            "123456789",
            "1345",
            "123456789",
            "134579",
            "123456789",
            "123456789",
        ),
        1,
    )
    for unit in units
)
"""The 67 in use in Brazil."""

# DICT's own e-mail pattern: no percent sign, no quoted local part, no upper case
_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_EMAIL = rf"[a-z0-9.!#$&'*+/=?^_`{{|}}~-]+@{_LABEL}(?:\.{_LABEL})*"
EVP = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_EMAIL_FORM = re.compile(_EMAIL).fullmatch
_EVP_FORM = re.compile(EVP).fullmatch
_LOCAL_PHONE = (
    r"(?:\+?55[ .-]?)?(?:\(([0-9]{2})\)|([0-9]{2}))[ .-]?"
    r"(?:(9)[ .]?([0-9]{4})|([2-5][0-9]{3}))[ .-]?([0-9]{4})"
)
_PHONE_MARKS = str.maketrans("", "", " ().-")
# White space and the invisible marks that come along when a number is copied from a phone book or a page
_AROUND = "".join(map(chr, (*range(9, 14), 32, 0xA0, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x202F,
                            *range(0x2060, 0x206A), 0xFEFF)))  # fmt: skip


def parse_key(key: str, key_type: str | None = None) -> PixKey:
    """The type and the canonical form of a key, masked or not.

    ``key_type`` (a value of ``KeyType``) is needed only where the key has two readings. Raises
    ``InvalidCharge`` with ``invalid_type``, ``invalid_key_type``, ``required``, ``too_long``,
    ``invalid_characters``, ``invalid_key``, ``invalid_check_digits``, ``key_type_mismatch`` or
    ``ambiguous_key``.
    """
    wanted = None if key_type is None else _wanted_type(key_type)
    if not isinstance(key, str):
        raise _invalid("invalid_type", expected="text", got=type(key).__name__)
    found = key_form(key)
    if (
        found is not None
        and wanted in (None, found)
        and is_settled(key, found, typed=wanted is not None)
        and in_numbering_plan(key)
    ):
        return PixKey(found, key)
    text = _tidy(key)
    return _choose(text, _readings(text), wanted)


def key_form(key: str) -> KeyType | None:
    """Which canonical form ``key`` has, whatever its check digits; ``None`` for no form at all."""
    if "@" in key:
        return KeyType.EMAIL if len(key) <= _LONGEST and _EMAIL_FORM(key) else None
    if not key.isascii():
        return None
    if key[:1] == "+":
        digits = key[1:]
        return KeyType.TELEFONE if 3 <= len(digits) <= 16 and digits.isdigit() and digits[0] != "0" else None
    if len(key) == 11:
        return KeyType.CPF if key.isdigit() else None
    if len(key) == 14:
        return KeyType.CNPJ if cnpj.compact(key) == key else None
    return KeyType.ALEATORIA if _EVP_FORM(key) else None


def is_settled(key: str, form: KeyType, *, typed: bool = False) -> bool:
    """Whether a key of this canonical form can be nothing else and its check digits hold.

    ``typed``: the caller said that it is of this type.
    """
    check = _TAX_NUMBERS.get(form)
    if check is None:
        return True
    return check(key) and (typed or len(key) != 11 or key[2] != "9" or key[:2] not in AREA_CODES)


def has_check_digits(key: str, key_type: KeyType) -> bool:
    """Whether a canonical CPF or CNPJ carries its check digits; other keys have none to be wrong."""
    check = _TAX_NUMBERS.get(key_type)
    return check is None or check(key)


def in_numbering_plan(phone: str) -> bool:
    """Whether an E.164 number has an area code in use and the digits of its kind, if it is under +55."""
    if not phone.startswith("+55"):
        return True
    mobile = len(phone) == 14 and phone[5] == "9"
    landline = len(phone) == 13 and phone[5] in "2345"
    return (mobile or landline) and phone[3:5] in AREA_CODES


def _wanted_type(key_type: object) -> KeyType:
    if not isinstance(key_type, str):
        raise _invalid("invalid_type", "key_type", expected="text", got=type(key_type).__name__)
    try:
        return _TYPES[key_type]
    except KeyError:
        allowed = ", ".join(_TYPES)
        raise _invalid("invalid_key_type", "key_type", allowed=allowed) from None


def _tidy(key: str) -> str:
    text = key.strip(_AROUND)
    if not text:
        raise _invalid("required")
    if not (text.isascii() and text.isprintable()):
        raise _invalid("invalid_characters")
    if len(text) > _LONGEST:
        raise _invalid("too_long", limit=_LONGEST, length=len(text))
    return " ".join(text.split())


def _readings(text: str) -> dict[KeyType, str]:
    """Every type whose form ``text`` can be read as, with the key in canonical form.

    Only eleven digits can have two readings: the other forms exclude each other.
    """
    if "@" in text:
        return _reading(KeyType.EMAIL, text.lower())
    digits = text.translate(_PHONE_MARKS)
    if is_digits(digits, 11):
        return _readings_of_eleven(text, digits)
    return (
        _reading(KeyType.TELEFONE, _phone(text))
        or _reading(KeyType.CNPJ, cnpj.compact(text))
        or _reading(KeyType.ALEATORIA, _evp(text))
    )


def _readings_of_eleven(text: str, digits: str) -> dict[KeyType, str]:
    """A CPF's mask ends in ``-NN``; a phone's sets the area code apart or ends in ``-NNNN``. Else: both."""
    if text[-3] == "-":
        return _reading(KeyType.CPF, cpf.compact(text))
    if text[0] == "(" or text[2] in " .-" or text[-5] == "-":
        return _reading(KeyType.TELEFONE, _phone(text))
    phone = f"+55{digits}"
    return {KeyType.CPF: digits} | ({KeyType.TELEFONE: phone} if in_numbering_plan(phone) else {})


def _reading(kind: KeyType, value: str | None) -> dict[KeyType, str]:
    return {kind: value} if value and key_form(value) is kind else {}


def _phone(text: str) -> str | None:
    local = re.fullmatch(_LOCAL_PHONE, text)
    if local:
        number = "+55" + "".join(filter(None, local.groups()))
    elif text[0] == "+":
        number = text.translate(_PHONE_MARKS)
    else:
        return None
    return number if in_numbering_plan(number) else None


def _evp(text: str) -> str | None:
    bare = text.lower().removeprefix("urn:uuid:").removeprefix("{").removesuffix("}")
    if len(bare) == 32:
        bare = f"{bare[:8]}-{bare[8:12]}-{bare[12:16]}-{bare[16:20]}-{bare[20:]}"
    return bare if _EVP_FORM(bare) else None


def _choose(text: str, readings: dict[KeyType, str], wanted: KeyType | None) -> PixKey:
    sound = {kind: value for kind, value in readings.items() if has_check_digits(value, kind)}
    if wanted is None:
        if len(sound) > 1:
            raise _invalid("ambiguous_key", **{str(kind): value for kind, value in sound.items()})
        if sound:
            return PixKey(*sound.popitem())
        if readings:
            raise _invalid("invalid_check_digits", type=next(iter(readings)))
        raise _invalid("invalid_key", form=_meant(text))
    if wanted in sound:
        return PixKey(wanted, sound[wanted])
    if sound:
        raise _invalid("key_type_mismatch", "key_type", wanted=wanted, found="/".join(sound))
    if wanted in readings:
        raise _invalid("invalid_check_digits", type=wanted)
    raise _invalid("invalid_key", form=wanted)


def _meant(text: str) -> str:
    """The type that a text of no valid form was meant for, where a character gives it away."""
    if "@" in text:
        return KeyType.EMAIL
    return KeyType.TELEFONE if text[0] in "+(" else ""


def _invalid(code: str, field: str = "key", **params: str | int) -> InvalidCharge:
    return InvalidCharge((Issue(field, code, params),))
