r"""Field 54: reais with a dot and two decimals, at most 13 characters, never zero.

Sources: EMVCo QRCPS-MPM 1.1 §4.7.4; BCB API Pix 2.10.0 (``\d{1,10}\.\d{2}``). Written in that one form
because a bank once read "198" as R$ 1.98. No float is used, so no amount is rounded.

>>> from decimal import Decimal
>>> parse_amount("49.9"), parse_amount(49), parse_amount(Decimal("0.1"))
('49.90', '49.00', '0.10')
"""

import re
from decimal import Decimal

from brcode.errors import InvalidCharge

AMOUNT_LIMIT = 13
_REAIS_LIMIT = AMOUNT_LIMIT - 3  # the dot and the cents
AMOUNT_PATTERN = rf"(?!0\.00)(?:0|[1-9][0-9]{{0,{_REAIS_LIMIT - 1}}})\.[0-9]{{2}}"
_LARGEST_EXPONENT = 308  # JSON readers disagree on larger numbers
# Ways to write an amount that are not plain numbers; compiled by ``re`` when first needed
_BRAZILIAN = r"([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]*),([0-9]{1,2})"
_AMERICAN = r"([0-9]{1,3}(?:,[0-9]{3})+)\.([0-9]{1,2})"
_SPACED = r"([0-9]{1,3}(?:[ \xa0\u2009\u202f][0-9]{3})+)(?:[.,]([0-9]{1,2}))?"  # as Intl.NumberFormat writes
_PLAIN_OR_UNFINISHED = r"([0-9]*)\.?([0-9]{0,2})"


def parse_amount(amount: str | int | Decimal) -> str:
    """Return an amount as field 54 holds it.

    ``amount`` is in reais: a text such as ``"49.90"``, an ``int``, or a ``Decimal`` as the caller read it
    from JSON, with at most two decimals as written: ``"10.000"`` has three, and in Brazil would be ten
    thousand. Raise ``InvalidCharge`` with ``invalid_type``, ``invalid_amount``, ``not_positive``,
    ``too_many_decimals`` or ``amount_too_large``.
    """
    if isinstance(amount, str):
        return _from_text(amount)
    if isinstance(amount, bool) or not isinstance(amount, int | Decimal):
        raise _invalid("invalid_type", expected="amount", got=type(amount).__name__)
    number = Decimal(amount)
    if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT:
        raise _invalid("invalid_amount")
    if number <= 0:
        raise _invalid("not_positive")
    return _from_text(f"{number:f}")


def _from_text(text: str) -> str:
    reais, point, cents = text.partition(".")
    if not (_is_number(reais) and (_is_number(cents) or not point)):
        raise _malformed(text)
    if len(cents) > 2:
        raise _too_many_decimals(reais, cents)
    if reais[0] == "0":
        reais = reais.lstrip("0") or "0"
    if len(reais) > _REAIS_LIMIT:
        largest = f"{'9' * _REAIS_LIMIT}.99"
        raise _invalid("amount_too_large", largest=largest, limit=AMOUNT_LIMIT)
    amount = f"{reais}.{cents:0<2}"
    if amount == "0.00":
        raise _invalid("not_positive")
    return amount


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _too_many_decimals(reais: str, cents: str) -> InvalidCharge:
    """Return the exception with the nearest amount, and the reading where a dot separates thousands."""
    params: dict[str, str | int] = {"decimals": len(cents)}
    hundredths = int(reais[-_REAIS_LIMIT:]) * 100 + int(cents[:2]) + (cents[2] >= "5")
    if hundredths and len(reais) <= _REAIS_LIMIT:
        params["right"] = f"{hundredths // 100}.{hundredths % 100:02d}"
        if len(cents) == 3 and 1 <= len(reais) <= 3 and reais[0] != "0":
            params["or_right"] = f"{reais}{cents}.00"
    return _invalid("too_many_decimals", **params)


def _malformed(text: str) -> InvalidCharge:
    """Return the exception for a text that is not a plain number, with the right form if it is certain."""
    bare = text.strip().removeprefix("R$").removesuffix("R$").strip()
    if bare.startswith("-") and _parse_unambiguous(bare[1:].strip()):
        return _invalid("not_positive")
    right = _parse_unambiguous(bare.removeprefix("+"))
    return _invalid("invalid_amount", **({"right": right} if right not in ("", "0.00") else {}))


def _parse_unambiguous(text: str) -> str:
    """Return ``text`` in canonical form if it is an unambiguous way to write an amount, else an empty text.

    "1,234" is ambiguous: more than a thousand in English, a little over one in Portuguese.
    """
    for form in (_PLAIN_OR_UNFINISHED, _BRAZILIAN, _AMERICAN, _SPACED):
        match = re.fullmatch(form, text)
        if match:
            reais = re.sub("[^0-9]", "", match[1]).lstrip("0") or "0"
            return f"{reais}.{match[2] or '':0<2}" if len(reais) <= _REAIS_LIMIT else ""
    return ""


def _invalid(code: str, **params: str | int) -> InvalidCharge:
    return InvalidCharge.of("amount", code, **params)
