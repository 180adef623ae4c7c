"""The values at the root of a code: constants, amount, name, city, postal code and txid."""

from brcode.shape import Shape
from brcode.tlv import (
    ADDITIONAL_DATA,
    ADDITIONAL_DATA_BRCODE_VERSION,
    ADDITIONAL_DATA_TXID,
    AMOUNT,
    COUNTRY,
    CURRENCY,
    MCC,
    MERCHANT_CITY,
    MERCHANT_NAME,
    POSTAL_CODE,
    is_digits,
)

__all__ = ["check_txid", "check_values"]


def check_values(shape: Shape, *, static: bool) -> None:
    """Every root object but templates and frame; ``static``: the code holds the key itself."""
    root = shape.root
    mcc, currency, country = root.get(MCC), root.get(CURRENCY), root.get(COUNTRY)
    if shape.is_missing(MCC) or (mcc is not None and not is_digits(mcc, 4)):
        shape.report("mcc", "mcc")
    if shape.is_missing(CURRENCY) or currency not in (None, "986"):
        shape.report("currency", CURRENCY)
    if shape.is_missing(COUNTRY) or country not in (None, "BR"):
        shape.report("country", COUNTRY)
    if AMOUNT in root:
        _check_amount(shape, root[AMOUNT], static=static)
    _check_text(shape, MERCHANT_NAME, "merchant_name", "name", 25)
    _check_text(shape, MERCHANT_CITY, "merchant_city", "city", 15)
    postal_code = root.get(POSTAL_CODE, "")
    if len(postal_code) > 10 or not _is_ans(postal_code):
        shape.report("postal_code", "postal_code")


def check_txid(shape: Shape, *, static: bool) -> str | None:
    """The txid, which every BR Code must have."""
    if ADDITIONAL_DATA not in shape.root:
        if shape.whole:
            shape.report("additional_data_missing", "txid")
        return None
    objects = shape.templates[ADDITIONAL_DATA]
    if ADDITIONAL_DATA_BRCODE_VERSION in objects:
        shape.report("brcode_version_field", f"{ADDITIONAL_DATA}-{ADDITIONAL_DATA_BRCODE_VERSION}")
    txid = objects.get(ADDITIONAL_DATA_TXID)
    if txid is None:
        shape.report("txid_missing", "txid")
        return None
    if len(txid) > 25:
        shape.report("txid_too_long", "txid", length=len(txid))
    if txid != "***" and not (txid.isascii() and txid.isalnum()):
        # the real txid of a dynamic code lies behind its location: BCB's own example has a hyphen here
        shape.report("txid_characters" if static else "txid_characters_dynamic", "txid")
    return txid


def _check_amount(shape: Shape, amount: str, *, static: bool) -> None:
    reais, _, cents = amount.partition(".")
    digits = reais + cents
    if not (reais and len(amount) <= 13 and len(cents) <= 2 and is_digits(digits, len(digits))):
        shape.report("amount_form", "amount")
        return
    right = f"{reais.lstrip('0') or '0'}.{cents:0<2}"
    if right == "0.00":
        shape.report("amount_zero" if static else "amount_zero_dynamic", "amount")
    elif amount != right:
        shape.report("amount_not_canonical", "amount", value=amount, right=right)


def _check_text(shape: Shape, tag: str, field: str, rule: str, limit: int) -> None:
    if tag not in shape.root:
        if shape.whole:
            shape.report(f"{rule}_missing", field)
        return
    text = shape.root[tag]
    if len(text) > limit:
        shape.report(f"{rule}_too_long", field, length=len(text))
    if not _is_ans(text):
        shape.report(f"{rule}_characters", field)
    if text != text.strip(" "):
        shape.report("padded", field)


def _is_ans(text: str) -> bool:
    """EMV's "alphanumeric special": printable ASCII."""
    return text.isascii() and text.isprintable()
