"""Recognition of texts sent in place of a Pix code: URL, boleto, QR of another payment, key, plain text."""

import re

from brcode.errors import InvalidCharge
from brcode.keys import parse_key
from brcode.location import has_form, has_protocol
from brcode.parsed_payload import ParsedPayload
from brcode.tlv import ACCOUNT_TEMPLATES, CARD_ACCOUNTS, GUI, PIX_GUI

_CODE_START = "0002"
_KEY_ISSUES = {"ambiguous_key", "invalid_check_digits"}
_BOLETO_LENGTHS = (44, 47, 48)  # digits: the bar code; the line that is typed, of a bank and of a utility
# Crypto-currencies, India's UPI, the transfers of SEPA and of Switzerland
_OTHER_PAYMENT = r"(?:bitcoin|lightning|ethereum|upi):|(?:bcd|spc)[\r\n]"


def classify_other_text(payload: ParsedPayload) -> str | None:
    """Return the kind of a text that is no Pix code; ``None`` for one that was meant as such a code.

    Kinds: ``empty``, ``address``, ``boleto``, ``other_payment``, ``key`` or ``text``.
    """
    text = payload.text
    if not text:
        return "empty"
    digits = re.sub(r"[\s.\-]", "", text)  # pages and bills separate them by tabs and no-break spaces
    if len(digits) in _BOLETO_LENGTHS and digits.isascii() and digits.isdigit():
        return "boleto"  # first: its digits may parse as objects
    if _is_other_code(payload):
        return "other_payment"
    if payload.root or text.startswith(_CODE_START) or PIX_GUI in text.lower():
        return None
    if re.match(_OTHER_PAYMENT, text.lower()):
        return "other_payment"
    if _is_key(text):
        return "key"
    return "address" if has_protocol(text) or has_form(text) or text[:4].lower() == "www." else "text"


def _is_other_code(payload: ParsedPayload) -> bool:
    """Return whether a complete EMV code has an account of another scheme and none of Pix."""
    if not payload.complete or PIX_GUI in payload.text.lower():
        return False
    named = {tag for tag, objects in payload.templates.items() if GUI in objects}
    return bool(named & ACCOUNT_TEMPLATES) or not CARD_ACCOUNTS.isdisjoint(payload.root)


def _is_key(text: str) -> bool:
    try:
        parse_key(text)
    except InvalidCharge as error:
        return error.issues[0].code in _KEY_ISSUES
    return True
