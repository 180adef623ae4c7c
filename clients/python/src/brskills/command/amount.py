"""Amounts as people in Brazil write them: ``49,90`` and ``1.234,56``."""

import re

from brskills.command.errors import Misuse
from brskills.command.language import Texts

_BRAZILIAN = re.compile(r"([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+),([0-9]{1,2})")
_AMBIGUOUS = re.compile(r"[0-9]{1,3},[0-9]{3}")


def plain_amount(written: str, text: Texts) -> str:
    """Return an amount with a decimal comma in the form of the service, any other text unchanged.

    Raise `Misuse` where the comma may separate thousands or decimals, as in ``1,234``.
    """
    if found := _BRAZILIAN.fullmatch(written):
        return f"{found[1].replace('.', '')}.{found[2]}"
    if _AMBIGUOUS.fullmatch(written):
        raise Misuse(text("amount_ambiguous", value=written, thousands=written.replace(",", "")))
    return written
