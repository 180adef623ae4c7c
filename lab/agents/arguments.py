"""Arguments in one form: masks, lists of one, numbers and capitals make no difference to the service."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from lab.agents.text import fold

_NUMBERS = {"cnpj": 14, "cnpjs": 14, "raiz": 8, "chave": 14}  # and how many digits an integer means
Values = frozenset[str]


def normalised(field: str, value: Any) -> Values:
    """Return the values of an argument.

    >>> normalised("cnpj", "11.222.333/0001-81") == normalised("cnpjs", [11222333000181])
    True
    >>> sorted(normalised("valor", 49.9)), sorted(normalised("municipio", ["São  Paulo/SP"]))
    (['49.90'], ['sao paulo/sp'])
    >>> sorted(normalised("cnpj", 191)), sorted(normalised("raiz", 33000167))
    (['00000000000191'], ['33000167'])
    """
    values = value if isinstance(value, list) else [value]
    return frozenset(_one(field, each) for each in values)


def _one(field: str, value: Any) -> str:
    if isinstance(value, dict):  # a company to watch, with the caller's reference
        return _one(field, value.get("cnpj"))
    if field == "brcode":
        return str(value).strip()
    if field == "valor":
        return _amount(value)
    if field in _NUMBERS and "@" not in str(value):
        return _number(value, _NUMBERS[field])
    return fold(str(value))


def _amount(value: Any) -> str:
    try:
        return f"{Decimal(str(value)):.2f}"
    except InvalidOperation:
        return str(value)


def _number(value: Any, digits: int) -> str:
    bare = re.sub(r"[^0-9A-Z]", "", str(value).upper())
    return bare.zfill(digits) if isinstance(value, int) else bare
