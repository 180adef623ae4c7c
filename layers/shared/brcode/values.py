"""Rules of the values at the root of a code (constants, amount, name, city, postal code) and of the txid."""

from brcode.amount import parse_amount
from brcode.checks import NO_TXID
from brcode.errors import InvalidCharge
from brcode.fields import CONSTANTS, FIELDS
from brcode.parsed_payload import ParsedPayload
from brcode.tlv import ADDITIONAL_DATA, is_alphanumeric_special, is_digits

_CURRENCY = "53"
_COUNTRY = "58"
_POSTAL_CODE_LIMIT = 10  # EMV's, for any country; Brazil's have eight digits
_BRCODE_VERSION = "50"  # in template 62, as in BCB's first manual


def check_values(payload: ParsedPayload) -> None:
    """Report issues of these values."""
    _check_mcc(payload)
    for rule, tag in (("currency", _CURRENCY), ("country", _COUNTRY)):
        if payload.is_missing(tag) or payload.root.get(tag) not in (None, CONSTANTS[tag,]):
            payload.report(rule, tag)
    _check_amount(payload)
    _check_text(payload, "merchant_name", "name")
    _check_text(payload, "merchant_city", "city")
    postal_code = payload.values["postal_code"] or ""
    if len(postal_code) > _POSTAL_CODE_LIMIT or not is_alphanumeric_special(postal_code):
        payload.report("postal_code", "postal_code", limit=_POSTAL_CODE_LIMIT)


def check_txid(payload: ParsedPayload) -> None:
    """Report issues of the txid, which every BR Code must have."""
    if ADDITIONAL_DATA not in payload.root:
        if payload.complete:
            payload.report("additional_data_missing", "txid")
        return
    if _BRCODE_VERSION in payload.templates[ADDITIONAL_DATA]:
        payload.report("brcode_version_field", f"{ADDITIONAL_DATA}-{_BRCODE_VERSION}")
    txid, limit = payload.values["txid"], FIELDS["txid"].limit
    if txid is None:
        payload.report("txid_missing", "txid")
        return
    if len(txid) > limit and payload.place != "location":
        payload.report("txid_too_long", "txid", length=len(txid), limit=limit)
    if txid != NO_TXID and not (txid.isascii() and txid.isalnum()):
        # the txid of a dynamic code is read from its location: BCB's example has a hyphen here
        payload.report("txid_characters_dynamic" if payload.place else "txid_characters", "txid")
    elif txid != NO_TXID and payload.place == "location":
        payload.report("ignored_with_location", "txid", others=payload.place)


def _check_mcc(payload: ParsedPayload) -> None:
    mcc = payload.values["mcc"]
    if mcc is None and not payload.complete:
        return
    if mcc is None or not is_digits(mcc, FIELDS["mcc"].limit):
        payload.report("mcc", "mcc")


def _check_amount(payload: ParsedPayload) -> None:
    amount, limit = payload.values["amount"], FIELDS["amount"].limit
    if amount is None:
        return
    reais, _, cents = amount.partition(".")
    digits = reais + cents
    if not (reais and len(amount) <= limit and len(cents) <= 2 and is_digits(digits, len(digits))):
        payload.report("amount_form", "amount", limit=limit, **_right_amount(amount))
        return
    right = f"{reais.lstrip('0') or '0'}.{cents:0<2}"
    if right == "0.00":
        payload.report("amount_zero_dynamic" if payload.place else "amount_zero", "amount")
    elif payload.place:
        payload.report("ignored_with_location", "amount", others=payload.place)
    elif amount != right:
        payload.report("amount_not_canonical", "amount", value=amount, right=right)


def _right_amount(amount: str) -> dict[str, str | int]:
    """Return the parameters of the issue ``amount_form``: an amount as ``encode`` advises to write it."""
    try:
        return {"case": "write", "right": parse_amount(amount)}
    except InvalidCharge as error:
        given = {name: value for name, value in error.issues[0].params.items() if name.endswith("right")}
        return {"case": "either" if "or_right" in given else "write", **given} if given else {}


def _check_text(payload: ParsedPayload, field: str, rule: str) -> None:
    text, limit = payload.values[field], FIELDS[field].limit
    if text is None:
        if payload.complete:
            payload.report(f"{rule}_missing", field)
        return
    if len(text) > limit:
        payload.report(f"{rule}_too_long", field, length=len(text), limit=limit)
    if not is_alphanumeric_special(text):
        payload.report(f"{rule}_characters", field)
    if text != text.strip(" "):
        payload.report("padded", field)
