"""Hints for an invalid key: its probable type, and what it looks like."""

from __future__ import annotations

import re

from brcode.key_forms import AREA_CODES, restore_zeros
from brcode.location import has_form, has_protocol
from brcode.model import KeyType
from brcode.tlv import is_digits

_CPF_MASK = r"[0-9]+\.[0-9]+\.[0-9]+-[0-9]*"
_CNPJ_MASK = r"[0-9A-Za-z]{1,3}\.[0-9A-Za-z]{2,4}\.[0-9A-Za-z]{2,4}/[0-9A-Za-z]{2,6}(?:-.*)?"
_RANDOM = r"[0-9A-Za-z]{6,10}(?:-[0-9A-Za-z]+){3,5}|(?=.*[A-Fa-f])[0-9A-Fa-f]{28,36}"

_ACCOUNT = (
    r".*\b(?:ag|ag[eê]ncia|banco|c/?c|conta)[ .:]*[0-9].*"
    r"|(?:[0-9]{3}[ /-]+)?[0-9]{3,4}(?:-[0-9x])?(?: */ *[0-9.]{4,}(?:-[0-9x])?| +[0-9.]{4,}-[0-9x])"
)


def invalid_key_hints(text: str, wanted: KeyType | None = None) -> dict[str, str | int]:
    """Return the parameters of the issue ``invalid_key``: ``form``, and ``looks`` (with ``count``) if known.

    ``form`` is the type that the caller named, else the likely one, else empty; ``looks`` names a text of
    ``brcode.encode_texts``, and ``type`` the number that lost its zeros. Of the key itself only the number
    of its characters is revealed.
    """
    likely, looks, count = _guess(text)
    params: dict[str, str | int] = {"form": wanted or likely or ""}
    if looks and not (looks == "email" and params["form"] == KeyType.EMAIL):
        params["looks"] = looks
        if count:
            params["count"] = count
        if looks == "lost_zeros" and likely:
            params["type"] = likely
    return params


def looks_like_account(text: str) -> bool:
    """Return whether a text may be a bank account, as ``0001 / 12345-6`` or ``ag 0001 cc 12345-6``."""
    return re.fullmatch(_ACCOUNT, text.lower()) is not None


def could_be_mobile(text: str) -> bool:
    """Return whether eleven bare digits are a mobile number but for an unknown area code."""
    return is_digits(text, 11) and text[2] == "9" and text[:2] not in AREA_CODES


def _guess(text: str) -> tuple[KeyType | None, str, int]:
    """Return the likely type, the name of a text about it, and the number of characters for that text."""
    bare = re.sub(r"[^0-9A-Za-z]", "", text)
    if "@" in text:
        return KeyType.EMAIL, "email", 0
    if text.startswith("000201"):
        return None, "code", 0
    if re.fullmatch(_CPF_MASK, text):
        return KeyType.CPF, "cpf", len(bare)
    if re.fullmatch(_CNPJ_MASK, text):
        return KeyType.CNPJ, "cnpj", len(bare)
    if looks_like_account(text):
        return None, "account", 0
    if has_protocol(text) or has_form(text):
        return None, "address", 0
    if re.fullmatch(_RANDOM, text):
        return KeyType.ALEATORIA, "random", len(bare)
    for key_type in restore_zeros(text):
        return key_type, "lost_zeros", 0
    if bare.isdigit():
        return _guess_of_digits(text, bare)
    if re.fullmatch("[0-9]{2}[0-9A-Za-z]{11,13}", bare):
        return KeyType.CNPJ, "cnpj", len(bare)
    return None, "", 0


def _guess_of_digits(text: str, digits: str) -> tuple[KeyType | None, str, int]:
    national = digits.removeprefix("55") if text[0] == "+" or len(digits) > 11 else digits
    looks = _issue_of_phone(national)
    if text[0] == "+":
        return KeyType.TELEFONE, looks if digits.startswith("55") else "", 0
    if looks and not (looks == "area_code" and text == digits):  # ten bare digits may lack one of a CPF's
        return KeyType.TELEFONE, looks, 0
    return (KeyType.TELEFONE if text[0] == "(" else None), "digits", len(digits)


def _issue_of_phone(number: str) -> str:
    """Return what is wrong with a Brazilian phone number without its country code; empty if nothing."""
    if number[:1] == "0" and len(number) in (11, 12) and number[1:3] in AREA_CODES:
        return "trunk_zero"
    if len(number) == 9 and number[0] == "9":
        return "no_area_code"
    if len(number) == 8 and number[0] in "23456789":
        return "no_area_code"
    if len(number) not in (10, 11):
        return ""
    if number[:2] not in AREA_CODES:
        return "area_code"
    return "" if len(number) == 10 and number[2] in "2345" else "ninth_digit"
