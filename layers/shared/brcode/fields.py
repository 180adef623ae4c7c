"""The fields of a charge, one row each, which encoding, decoding and the pattern of ``canonical`` read."""

from brcode import checks
from brcode.amount import AMOUNT_LIMIT, AMOUNT_PATTERN
from brcode.checks import Field
from brcode.key_forms import KEY_LIMIT, KEY_PATTERN
from brcode.tlv import GUI, PIX_GUI

ACCOUNT = "26"  # where it is written; any account template may hold it
RECURRENCE = "80"  # where it is written; any unreserved template may hold it
CONSTANTS = {("00",): "01", (ACCOUNT, GUI): PIX_GUI, ("53",): "986", ("58",): "BR"}
"""What every Pix code holds at these paths: version of the format, GUI, currency and country."""

SINGLE_USE = {"11": False, "12": True}
"""The values of object 01: whether the code is for a single payment."""

# Neither begins nor ends with a space
_TEXT = r"(?! )[ -/:-~]{1,%(limit)d}(?<! )"  # without digits no part of it looks like the next object


FIELDS: dict[str, Field] = {
    field.name: field
    for field in (
        Field("key", (ACCOUNT, "01"), KEY_LIMIT, checks.key, KEY_PATTERN),
        Field("key_type"),
        Field("amount", ("54",), AMOUNT_LIMIT, checks.amount, AMOUNT_PATTERN),
        Field("merchant_name", ("59",), 25, checks.label, _TEXT, required=True),
        Field("merchant_city", ("60",), 15, checks.label, _TEXT, required=True),
        Field(
            "txid", ("62", "05"), 25, checks.txid, r"[A-Za-z0-9]{1,%(limit)d}|\*\*\*", default=checks.NO_TXID
        ),
        Field("description", (ACCOUNT, "02"), 72, checks.sentence, _TEXT),
        Field("postal_code", ("61",), 8, checks.postal_code, "[0-9]{%(limit)d}", fixed=True),
        Field("mcc", ("52",), 4, checks.digits, "[0-9]{%(limit)d}", default="0000", fixed=True),
        Field("location", (ACCOUNT, "25"), 77, checks.location),
        Field("recurrence_location", (RECURRENCE, "25"), 77, checks.location),
        Field("withdrawal_ispb", (ACCOUNT, "03"), 8, checks.ispb),
        Field("single_use", ("01",), 2, checks.flag, "11", fixed=True),  # "12" in a static code is a mistake
        Field("strict", check=checks.flag),
    )
}
"""By name, in the order of the parameters of ``encode``, which is also that of issues."""

PLACED = {field.name: field.path for field in FIELDS.values() if field.path}
"""The paths of the fields that a code holds."""
