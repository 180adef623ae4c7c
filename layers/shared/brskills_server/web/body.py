"""Reading a JSON body: exactly as written, or refused.

Numbers become ``int`` or ``Decimal``, never a float, so that 0.30000000000000004 is seen for what it
is. A name given twice is ambiguous and refused. A mark of byte order before UTF-8 changes nothing and is
ignored (RFC 8259 §8.1); any other encoding, and what is compressed, is refused by its name.
"""

import codecs
import json
from collections import Counter
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any

from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.issues import shorten_name, wrong_type
from brskills_server.web.request import Request

__all__ = ["MAX_BODY_BYTES", "parse_json", "place_in_words", "read_json"]

MAX_BODY_BYTES = 16 * 1024
"""Of every request but batches."""
_MAX_INT_DIGITS = 30
_LOST = "\ufffd".encode()
"""What API Gateway puts in place of bytes that are not UTF-8. Only what was spoilt on its way has it."""


def _also_spoilt(*beginnings: bytes) -> tuple[bytes, ...]:
    return (*beginnings, *(start.decode(errors="replace").encode() for start in beginnings))


_COMPRESSED = _also_spoilt(b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b"\x78\xda")  # gzip, zstd, zlib
_UTF16 = _also_spoilt(b"\xff\xfe", b"\xfe\xff")


def read_json(request: Request, *, optional: bool = False, most: int = MAX_BODY_BYTES) -> dict[str, Any]:
    """The body's JSON object of ``most`` bytes; of an absent body ``{}`` where it is optional.

    Raises ``ApiError`` ``body_too_large``, ``unsupported_media_type`` or ``malformed_json``, and
    ``InvalidRequest`` for JSON that is not an object.
    """
    if len(request.body) > most:
        raise ApiError("body_too_large", wording="" if most == MAX_BODY_BYTES else ":batch")
    if optional and not request.body.strip():
        return {}
    media_type = request.media_type
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise ApiError("unsupported_media_type")
    content = parse_json(request.body, encoded=request.is_encoded)
    if not isinstance(content, dict):
        raise InvalidRequest(wrong_type("", "objeto (object)"))
    return content


def parse_json(body: bytes, *, encoded: bool = False) -> Any:
    """JSON with exact numbers; raises ``ApiError`` ``malformed_json`` or, of a compressed body, 415.

    ``encoded``: the sender says that the body is compressed. That alone refuses none that can be read: API
    Gateway unpacks gzip and does not promise to take the header away.
    """
    if not body.removeprefix(codecs.BOM_UTF8).strip():
        raise ApiError("malformed_json", wording=":empty")
    try:
        return _parse(body)
    except ApiError:
        if encoded or body.startswith(_COMPRESSED):
            raise ApiError("unsupported_media_type", wording=":compressed") from None
        raise


def _parse(body: bytes) -> Any:
    if body.startswith(_UTF16) or b"\0" in body[:4]:  # JSON begins with ASCII
        raise ApiError("malformed_json", wording=":utf16")
    if _LOST in body:  # else a name would be paid that its sender never wrote
        raise _not_utf8(body.index(_LOST))
    try:
        return _EXACT.decode(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _not_utf8(
            error.start + (len(codecs.BOM_UTF8) if body.startswith(codecs.BOM_UTF8) else 0)
        ) from None
    except json.JSONDecodeError as error:
        raise _malformed(partial(place_in_words, error.lineno, error.colno)) from None
    except RecursionError:
        raise _malformed("…[[[[…") from None


def place_in_words(line: int, column: int, language: str) -> str:
    """Where a body ends to be JSON, in ``pt`` or ``en``; both are counted from 1."""
    return f"line {line}, column {column}" if language == "en" else f"linha {line}, coluna {column}"


def _not_utf8(position: int) -> ApiError:
    return ApiError("malformed_json", wording=":not_utf8", parameters={"byte": position + 1})


def _malformed(reason: str | Callable[[str], str]) -> ApiError:
    return ApiError("malformed_json", parameters={"reason": reason})


def _integer(digits: str) -> int | Decimal:
    # int() is quadratic and refuses over 4,300 digits; no field of ours holds such a number anyway.
    return int(digits) if len(digits) <= _MAX_INT_DIGITS else Decimal(digits)


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:  # an exponent beyond what Decimal holds
        return Decimal("1E-999999" if "e-" in digits.lower() else "1E+999999")


def _refuse(constant: str) -> None:
    raise _malformed(constant)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        ((double, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise _malformed(f"{shorten_name(double)!a} ×2")
    for name, value in pairs:
        _refuse_lone_surrogates(name)
        _refuse_lone_surrogates(value)
    return content


def _refuse_lone_surrogates(value: Any) -> None:
    if isinstance(value, list):
        for item in value:
            _refuse_lone_surrogates(item)
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise _malformed(r"\ud800-\udfff") from None


_EXACT = json.JSONDecoder(
    parse_int=_integer, parse_float=_decimal, parse_constant=_refuse, object_pairs_hook=_unique
)
