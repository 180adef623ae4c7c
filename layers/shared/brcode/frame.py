"""What encloses the values of a code: its length and characters, its first objects and its checksum."""

import unicodedata

from brcode.crc import checksum
from brcode.shape import Shape
from brcode.tlv import CRC, INITIATION_METHOD, PAYLOAD_FORMAT

__all__ = ["check_crc", "check_frame"]

_LONGEST_CODE = 512
_HEX_DIGITS = set("0123456789ABCDEFabcdef")


def check_frame(shape: Shape) -> bool | None:
    """Length, characters and objects 00 and 01; whether the code may be paid once only, if it says."""
    code = shape.code
    if len(code) > _LONGEST_CODE:
        shape.report("too_long", None, length=len(code))
    if not code.isascii():
        shape.report("non_ascii")
    if not code.isprintable() and any(unicodedata.category(char) in ("Cc", "Cs") for char in code):
        shape.report("control_characters")
    if not code.startswith("000201"):
        shape.report("payload_format", PAYLOAD_FORMAT)
    method = shape.root.get(INITIATION_METHOD)
    if method is None:
        return None
    if method not in ("11", "12"):
        shape.report("initiation_method", "single_use", value=method[:20])
        return None
    return method == "12"


def check_crc(shape: Shape) -> None:
    """Object 63: last, four hexadecimal digits, and those of what stands before them."""
    if shape.is_missing(CRC):
        shape.report("crc_missing", CRC)
    elif shape.whole:
        crc = shape.root[CRC]
        if next(reversed(shape.root)) != CRC:
            shape.report("crc_not_last", CRC)
        elif len(crc) != 4 or not set(crc) <= _HEX_DIGITS:
            shape.report("crc_form", CRC)
        else:
            _compare(shape, crc, shape.code[:-4])


def _compare(shape: Shape, crc: str, covered: str) -> None:
    right = checksum(covered.encode("utf-8", "replace"))
    if crc == right:
        return
    if crc.upper() == right:
        shape.report("crc_lower_case", CRC, right=right)
    elif not covered.isascii() and crc.upper() == checksum(covered.encode("latin-1", "replace")):
        shape.report("crc_latin1", CRC, right=right)
    else:
        shape.report("crc_mismatch", CRC, value=crc, right=right)
