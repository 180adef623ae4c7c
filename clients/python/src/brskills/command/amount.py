"""Amounts as people in Brazil write them: ``49,90`` and ``1.234,56``."""

import re

from brskills.command.errors import Misuse
from brskills.command.language import Texts

_BRAZILIAN = re.compile(r"(?:R\$ ?)?([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+),([0-9]{1,2})")
_AMBIGUOUS = re.compile(r"[0-9]{1,3},[0-9]{3}")


def with_decimal_point(written: str) -> str:
    """Return an amount with a decimal comma in the form of the service, any other text unchanged.

    >>> with_decimal_point("1.234,5"), with_decimal_point("R$ 49,90"), with_decimal_point("1,234")
    ('1234.5', '49.90', '1,234')
    """
    found = _BRAZILIAN.fullmatch(written)
    return f"{found[1].replace('.', '')}.{found[2]}" if found else written


def plain_amount(written: str, text: Texts) -> str:
    """Return an amount in the form of the service.

    Raise `Misuse` where the comma may separate thousands or decimals, as in ``1,234``.
    """
    if _AMBIGUOUS.fullmatch(written):
        raise Misuse(text("amount_ambiguous", value=written, thousands=written.replace(",", "")))
    return with_decimal_point(written)
