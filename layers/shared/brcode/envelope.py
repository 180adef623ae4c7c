"""Rules of a code as a whole: its length and characters, its first objects and its checksum."""

import unicodedata

from brcode.crc import checksum
from brcode.fields import SINGLE_USE
from brcode.parsed_payload import ParsedPayload
from brcode.tlv import CRC

_LIMIT = 512
_HEX_DIGITS = set("0123456789ABCDEFabcdef")


def check_envelope(payload: ParsedPayload) -> None:
    """Report issues of length, characters and objects 00 and 01."""
    text = payload.text
    if len(text) > _LIMIT:
        payload.report("too_long", None, length=len(text), limit=_LIMIT)
    if not text.isascii():
        payload.report("non_ascii")
    if has_control_characters(text):
        payload.report("control_characters")
    if not text.startswith("000201"):
        payload.report("payload_format", "00")
    method = payload.root.get("01")
    if method is not None and method not in SINGLE_USE:
        payload.report("initiation_method", "single_use")


def has_control_characters(text: str) -> bool:
    """Return whether a text has line ends, tabs or other characters that are not printed."""
    return not text.isprintable() and any(unicodedata.category(char) in ("Cc", "Cs") for char in text)


def check_crc(payload: ParsedPayload) -> None:
    """Report issues of object 63: the last one, four hexadecimal digits, the checksum of all before them."""
    if payload.is_missing(CRC):
        payload.report("crc_missing", CRC)
    elif payload.complete:
        crc = payload.root[CRC]
        if next(reversed(payload.root)) != CRC:
            payload.report("crc_not_last", CRC)
        elif len(crc) != 4 or not set(crc) <= _HEX_DIGITS:
            payload.report("crc_form", CRC)
        else:
            _compare_crc(payload, crc, payload.text[:-4])


def _compare_crc(payload: ParsedPayload, crc: str, covered: str) -> None:
    right = checksum(covered.encode("utf-8", "replace"))
    if crc == right:
        return
    if crc.upper() == right:
        payload.report("crc_lower_case", CRC, right=right)
    elif not covered.isascii() and crc.upper() == checksum(covered.encode("latin-1", "replace")):
        payload.report("crc_latin1", CRC, right=right)
    else:
        payload.report("crc_mismatch", CRC, value=crc, right=right)
