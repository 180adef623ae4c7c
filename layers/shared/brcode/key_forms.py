"""The five canonical forms of a Pix key, as DICT stores them (BCB API DICT 2.12.1)."""

import re
from collections.abc import Callable

from brcode.model import KeyType
from brcode.tlv import is_digits
from taxid import cnpj, cpf

KEY_LIMIT = 77

# The 67 of Brazil (Anatel, Código Nacional)
_AREA_CODES = """
    11 12 13 14 15 16 17 18 19
    21 22    24       27 28
    31 32 33 34 35    37 38
    41 42 43 44 45 46 47 48 49
    51    53 54 55
    61 62 63 64 65 66 67 68 69
    71    73 74 75    77    79
    81 82 83 84 85 86 87 88 89
    91 92 93 94 95 96 97 98 99
"""
AREA_CODES = frozenset(_AREA_CODES.split())

# DICT's own e-mail pattern: no percent sign, no ampersand (since 2.6.0), no quoted local part, no upper case
_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_EMAIL = rf"[a-z0-9.!#$'*+/=?^_`{{|}}~-]+@{_LABEL}(?:\.{_LABEL})*"
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_is_email = re.compile(_EMAIL).fullmatch
_is_uuid = re.compile(_UUID).fullmatch

KEY_PATTERN = (
    rf"[0-9]{{11}}|[0-9A-Z]{{12}}[0-9]{{2}}|{_UUID}|\+55[0-9]{{11}}"  # of phones, mobiles alone
    # the part of DICT's pattern that ends in letters, so that the next field's id cannot be taken for it
    r"|[a-z0-9.!#$'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9]+\.)+[a-z]{2,}"
)
"""Canonical keys, without their check digits and area codes, that need no warning.

A landline and a domain without a dot do not match.
"""

TYPES_BY_LENGTH = {11: KeyType.CPF, 14: KeyType.CNPJ, 36: KeyType.ALEATORIA}
"""The types of keys that are neither e-mails nor phones."""

_WIDTHS = {KeyType.CPF: 11, KeyType.CNPJ: 14}
_SHORTENED = {10: KeyType.CPF, 12: KeyType.CNPJ, 13: KeyType.CNPJ}

CHECK_DIGITS: dict[KeyType, Callable[[str], bool]] = {KeyType.CPF: cpf.is_valid, KeyType.CNPJ: cnpj.is_valid}
"""The checks of the types of keys that have check digits."""


def key_form(key: str) -> KeyType | None:
    """Return the canonical form of ``key``, without checking its check digits; ``None`` if it has none."""
    if "@" in key:
        return KeyType.EMAIL if len(key) <= KEY_LIMIT and _is_email(key) else None
    if not key.isascii():
        return None
    if key[:1] == "+":
        digits = key[1:]
        return KeyType.TELEFONE if 3 <= len(digits) <= 16 and digits.isdigit() and digits[0] != "0" else None
    if len(key) == 11:
        return KeyType.CPF if key.isdigit() else None
    if len(key) == 14:
        return KeyType.CNPJ if cnpj.compact(key) == key else None
    return KeyType.ALEATORIA if _is_uuid(key) else None


def check_digits_match(key: str, key_type: KeyType) -> bool:
    """Return whether the check digits of a canonical CPF or CNPJ match; true for keys without any."""
    check = CHECK_DIGITS.get(key_type)
    return check is None or check(key)


def restore_zeros(text: str) -> dict[KeyType, str]:
    """Return the CPF of ten digits, or the CNPJ of twelve or thirteen, with zeros in front; empty if none.

    Spreadsheets remove the zeros. Eleven digits are a CPF or a mobile number, and fewer than ten no phone.
    """
    key_type = _SHORTENED.get(len(text))
    if key_type is None or not is_digits(text, len(text)):
        return {}
    whole = text.zfill(_WIDTHS[key_type])
    return {key_type: whole} if check_digits_match(whole, key_type) else {}


def is_valid_and_unambiguous(key: str, form: KeyType) -> bool:
    """Return whether the check digits of a canonical key match and a CPF cannot be a mobile number too."""
    could_be_mobile = form is KeyType.CPF and key[2] == "9" and key[:2] in AREA_CODES
    return not could_be_mobile and check_digits_match(key, form)


def in_numbering_plan(phone: str) -> bool:
    """Return whether a number under +55 has an area code in use and the right digits; true for others."""
    if not phone.startswith("+55") or "@" in phone:  # an e-mail may begin with a plus sign
        return True
    mobile = len(phone) == 14 and phone[5] == "9"
    return (mobile or _has_landline_digits(phone)) and phone[3:5] in AREA_CODES


def is_landline(key: str) -> bool:
    """Return whether a canonical key is a Brazilian landline (Anatel: eight digits, starting with 2 to 5)."""
    return key.startswith("+55") and "@" not in key and _has_landline_digits(key)


def has_dotless_domain(key: str) -> bool:
    """Return whether a canonical key is an e-mail of a domain without a dot, as ``pix@exemplo``."""
    _, at, domain = key.partition("@")
    return bool(at) and "." not in domain


def _has_landline_digits(phone: str) -> bool:
    return len(phone) == 13 and phone[5] in "2345"
