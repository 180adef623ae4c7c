"""Single values in providers' answers, in every form seen so far.

A value that is missing or cannot be read is ``None``: one odd field must not make a good record useless.

>>> read_date("03/11/2005"), read_code(600001, 7), read_money("205431960490,52")
(datetime.date(2005, 11, 3), '0600001', '205431960490.52')
"""

import re
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from string import ascii_uppercase
from typing import Any, TypeVar

from brskills_server.registry import tables
from brskills_server.registry.free_text import clean_text
from brskills_server.registry.privacy import hide_cpfs
from taxid import cpf

T = TypeVar("T")

_AREA_DIGITS = 2
_LONGEST_TEXT = 2_000  # more than any field of the registry holds
_LONGEST_LIST = 5_000  # the largest partnerships have some thousand partners
_CENT = Decimal("0.01")
_LIMIT = 10**18
_UNKNOWN_AMOUNT = 999_999_999_999


class InvalidResponse(ValueError):
    """A response that is not a company record."""


def required(value: T | None) -> T:
    """Return a value that every record has. Raise ``InvalidResponse`` without it."""
    if value is None:
        raise InvalidResponse("not a record")
    return value


def as_object(value: object) -> dict[str, Any]:
    """Return a JSON object; anything else is empty."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return a JSON array; anything else, and one longer than any of the registry, is empty."""
    return value if isinstance(value, list) and len(value) <= _LONGEST_LIST else []


def as_objects(value: object) -> list[dict[str, Any]]:
    """Return the objects of a JSON array; an absent one is empty."""
    return [item for item in as_list(value) if isinstance(item, dict)]


def in_bounds(text: str) -> str:
    """Return a text; an empty one for a text longer than any field of the registry."""
    return text if len(text) <= _LONGEST_TEXT else ""


def read_text(value: object) -> str | None:
    """Return a text, cleaned by ``free_text.clean_text``; ``None`` for blanks or asterisks."""
    if isinstance(value, Decimal) and value.is_finite() and -_LIMIT < value < _LIMIT and value % 1 == 0:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return clean_text(in_bounds(value)) if isinstance(value, str) else None


def read_code(value: object, width: int) -> str | None:
    """Return a code padded to its width: an integer, or digits with or without punctuation."""
    digits = re.sub(r"(?<=[0-9])[.\-/ ]", "", read_text(value) or "")
    return digits.zfill(width) if re.fullmatch(rf"[0-9]{{1,{width}}}", digits) else None


def read_place_code(value: object, width: int) -> str | None:
    """Return the code of a place (CEP, IBGE, SIAFI); only zeros mean "none"."""
    code = read_code(value, width)
    return code if code and code.strip("0") else None


def read_cnpj(value: object) -> str | None:
    """Return a CNPJ without its mask; ``None`` for anything without its fourteen characters."""
    text = re.sub(r"[.\-/ ]", "", value).upper() if isinstance(value, str) else ""
    return text if re.fullmatch(r"[0-9A-Z]{12}[0-9]{2}", text) else None


def read_date(value: object) -> date | None:
    """Return a day written YYYY-MM-DD (with or without a time) or DD/MM/YYYY; ``None`` for anything else."""
    text = read_text(value) or ""
    if match := re.match(r"([0-9]{2})/([0-9]{2})/([0-9]{4})\Z", text):
        text = "-".join(reversed(match.groups()))
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def read_money(value: object) -> str | None:
    """Return reais with two decimals; a comma, where there is one, is the decimal sign.

    The register's marks for an unknown amount, one of which is a negative one, are ``None``.
    """
    if isinstance(value, str):
        text = value.strip()
        value = text.replace(".", "").replace(",", ".") if "," in text else text
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        return None
    try:
        amount = Decimal(value)
    except InvalidOperation:
        return None
    if not amount.is_finite() or not 0 <= amount < _LIMIT or amount == _UNKNOWN_AMOUNT:
        return None
    return str(abs(amount).quantize(_CENT, ROUND_HALF_EVEN))  # of "-0,00"


def read_yes(value: object) -> bool | None:
    """Return whether a boolean, S/N or Sim/Não means yes; ``None`` for anything else."""
    if isinstance(value, bool):
        return value
    return {"s": True, "sim": True, "n": False, "nao": False}.get(tables.fold(read_text(value) or ""))


def read_head_office(value: object) -> bool | None:
    """Return whether a boolean, matriz/filial or 1/2 means the head office; ``None`` for anything else."""
    if isinstance(value, bool):
        return value
    return {"matriz": True, "1": True, "filial": False, "2": False}.get((read_text(value) or "").lower())


def read_digits(value: object) -> str:
    """Return the digits of a telephone, without masking CPFs: many telephones have eleven digits too."""
    return re.sub(r"[^0-9]", "", _number(value))


def read_registration(value: object) -> str | None:
    """Return a state registration without punctuation; ``None`` for "exempt" and other words.

    In some states they have eleven digits, so only those with the check digits of a CPF are masked.
    """
    text = re.sub(r"[.\-/ ]", "", _number(value)).upper()
    if not re.fullmatch(r"[A-Z]{0,3}[0-9]{2,18}", text):
        return None
    return hide_cpfs(text) if cpf.is_valid(text.lstrip(ascii_uppercase)) else text


def _number(value: object) -> str:
    return in_bounds(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def read_area(value: object) -> str | None:
    """Return the two digits of an area code (DDD), without the trunk zeros of ``"0021"``."""
    digits = read_digits(value).lstrip("0")
    return digits if len(digits) == _AREA_DIGITS else None


def split_phone(value: object) -> dict[str, Any]:
    """Return ``ddd`` and ``numero`` of a telephone in one text, with or without a trunk zero."""
    digits = read_digits(value).lstrip("0")
    return {"ddd": digits[:2], "numero": digits[2:]}


def read_age_band(value: object) -> str | None:
    """Return "41 a 50 anos" for any provider's words or Receita's code; ``None`` for "does not apply"."""
    code = read_code(value, 1)
    if code is not None:
        return tables.description("faixas_etarias", code)
    numbers = re.findall(r"[0-9]+", read_text(value) or "")
    if not numbers:
        return None
    oldest = tables.description("faixas_etarias", "9")
    return f"{numbers[0]} a {numbers[1]} anos" if len(numbers) > 1 else oldest
