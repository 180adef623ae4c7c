"""Reading what providers send: every way to write a value seen so far, and ``Garbage`` for the rest.

A missing value is ``None``; a value of a wrong type means that the answer is not what it claims to be.

>>> read_date("03/11/2005"), read_code(600001, 7), read_money("205431960490,52")
(datetime.date(2005, 11, 3), '0600001', '205431960490.52')
"""

import re
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, TypeVar

from registry import tables
from registry.company import Atividade, CodigoDescricao, OpcaoTributaria, Telefone
from registry.privacy import hide_cpfs

__all__ = [
    "Garbage",
    "activities",
    "coded",
    "coded_text",
    "items",
    "joined_phone",
    "option",
    "phones",
    "read_age_band",
    "read_cnpj",
    "read_code",
    "read_country",
    "read_date",
    "read_digits",
    "read_money",
    "read_place",
    "read_text",
    "read_yes",
    "required",
    "rows",
    "section",
]

T = TypeVar("T")

_CENT = Decimal("0.01")
_MOST = 10**18
_AGE_BANDS = {
    "1": "0 a 12 anos",
    "2": "13 a 20 anos",
    "3": "21 a 30 anos",
    "4": "31 a 40 anos",
    "5": "41 a 50 anos",
    "6": "51 a 60 anos",
    "7": "61 a 70 anos",
    "8": "71 a 80 anos",
    "9": "mais de 80 anos",
}


class Garbage(ValueError):
    """An answer that is no company record, whatever its status said."""


def section(value: object) -> dict[str, Any]:
    """A JSON object; an absent one, also written "", is empty."""
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise Garbage("no object")
    return value


def required(value: T | None) -> T:
    """A value without which there is no record."""
    if value is None:
        raise Garbage("no record")
    return value


def rows(value: object) -> list[dict[str, Any]]:
    """A JSON array of objects; an absent one is empty."""
    return [section(row) for row in items(value)]


def items(value: object) -> list[Any]:
    """A JSON array; an absent one, also written "" or {}, is empty."""
    if value is None or value in ("", {}):
        return []
    if not isinstance(value, list):
        raise Garbage("no array")
    return value


def read_text(value: object) -> str | None:
    """A text with its white space collapsed and CPFs hidden; ``None`` for an empty or starred-out one."""
    if value is None:
        return None
    if isinstance(value, Decimal) and value == value.to_integral_value() and abs(value) < _MOST:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise Garbage("no text")
    text = " ".join(value.split())
    return hide_cpfs(text) if text.strip("*") else None


def read_code(value: object, width: int) -> str | None:
    """A code padded to its width: an integer, or digits with or without their punctuation.

    What looks like no such code is none: one odd field must not cost a good record.
    """
    digits = re.sub(r"(?<=[0-9])[.\-/ ]", "", read_text(value) or "")
    return digits.zfill(width) if re.fullmatch(rf"[0-9]{{1,{width}}}", digits) else None


def read_place(value: object, width: int) -> str | None:
    """A code that finds a place (CEP, IBGE, SIAFI); one of zeros means "none"."""
    code = read_code(value, width)
    return code if code and code.strip("0") else None


def read_cnpj(value: object) -> str | None:
    """A CNPJ without its mask; ``None`` for anything that has not its fourteen characters."""
    text = re.sub(r"[.\-/ ]", "", value).upper() if isinstance(value, str) else ""
    return text if re.fullmatch(r"[0-9A-Z]{12}[0-9]{2}", text) else None


def read_date(value: object) -> date | None:
    """A day written YYYY-MM-DD (with or without a time) or DD/MM/YYYY; ``None`` for "", "0" and no day."""
    text = read_text(value) or ""
    if match := re.match(r"([0-9]{2})/([0-9]{2})/([0-9]{4})\Z", text):
        text = "-".join(reversed(match.groups()))
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def read_money(value: object) -> str | None:
    """Reais with two decimals; a comma, where there is one, is the decimal sign."""
    if isinstance(value, bool):
        raise Garbage("no amount")
    if isinstance(value, str):
        text = value.strip()
        value = text.replace(".", "").replace(",", ".") if "," in text else text
    if value is None or value == "":
        return None
    if not isinstance(value, str | int | Decimal):
        raise Garbage("no amount")
    amount = Decimal(value)
    if not amount.is_finite() or not 0 <= amount < 10**18:
        raise Garbage("no amount")
    return str(amount.quantize(_CENT, ROUND_HALF_EVEN))


def read_yes(value: object) -> bool | None:
    """Yes or no out of a boolean, S/N or Sim/Não; ``None`` where it is not told."""
    if isinstance(value, bool):
        return value
    return {"s": True, "sim": True, "n": False, "nao": False}.get(tables.fold(read_text(value) or ""))


def option(chosen: object, since: object, until: object) -> OpcaoTributaria | None:
    """Simples or MEI. An exclusion on the day of the option is how the registry writes "never"."""
    opted = read_yes(chosen)
    if opted is None:
        return None
    start, end = read_date(since), read_date(until)
    if start == end:
        start = end = None
    return OpcaoTributaria(optante=opted, data_opcao=start, data_exclusao=end)


def coded(table: str, code: str | None, text: object) -> CodigoDescricao | None:
    """A code with its official text, or with the provider's where the table lacks it."""
    words = read_text(text)
    if code is None:
        return coded_text(table, words)
    return CodigoDescricao(codigo=code, descricao=tables.description(table, code) or words)


def coded_text(table: str, text: object) -> CodigoDescricao | None:
    """A text with the code that the official table gives it, also without a last "(…)"."""
    words = read_text(text)
    if words is None:
        return None
    code = tables.code_of(table, words) or tables.code_of(table, re.sub(r"\s*\([^)]*\)$", "", words))
    return CodigoDescricao(codigo=code, descricao=(code and tables.description(table, code)) or words)


def activities(pairs: list[tuple[object, object]]) -> list[Atividade]:
    """CNAE codes with their official texts; the code of zeros means "none"."""
    codes = [(read_code(code, 7), read_text(text)) for code, text in pairs]
    return [
        Atividade(codigo=code, descricao=tables.description("cnaes", code) or text)
        for code, text in codes
        if code and code.strip("0")
    ]


def phones(pairs: list[tuple[object, object]]) -> list[Telefone]:
    """Telephones out of area codes and numbers, without empty ones and repetitions."""
    found = [(read_digits(area), read_digits(number)) for area, number in pairs]
    return [
        Telefone(ddd=area if area.strip("0") else None, numero=number)
        for area, number in dict.fromkeys(found)
        if number.strip("0")
    ]


def joined_phone(value: object) -> tuple[str, str]:
    """A number that begins with its area code, with or without a trunk zero before it."""
    digits = read_digits(value).lstrip("0")
    return digits[:2], digits[2:]


def read_digits(value: object) -> str:
    """The digits of a telephone's part; CPFs are not looked for, so that no number is taken for one."""
    if not isinstance(value, str | int | None) or isinstance(value, bool):
        raise Garbage("no digits")
    return re.sub(r"[^0-9]", "", str(value or ""))


def read_age_band(value: object) -> str | None:
    """ "41 a 50 anos" out of any provider's words or Receita's code; ``None`` for "does not apply"."""
    code = read_code(value, 1)
    if code is not None:
        return _AGE_BANDS.get(code)
    numbers = re.findall(r"[0-9]+", read_text(value) or "")
    if not numbers:
        return None
    return f"{numbers[0]} a {numbers[1]} anos" if len(numbers) > 1 else "mais de 80 anos"


def read_country(rfb_code: object, text: object) -> str | None:
    """A country's official name by Receita Federal's code or by its name, else the provider's word."""
    code = read_code(rfb_code, 3) or tables.code_of("paises", read_text(text) or "")
    return (code and tables.description("paises", code)) or read_text(text)
