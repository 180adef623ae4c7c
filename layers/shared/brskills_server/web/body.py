"""Reading a JSON body exactly as it is written: numbers keep their decimals, a repeated name is an error."""

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

MAX_BODY_BYTES = 16 * 1024
"""Of every request but batches."""
_MAX_INT_DIGITS = 30
_EMPTY = ":empty"
_REPLACED = "\ufffd".encode()
"""What API Gateway writes in place of bytes that are not UTF-8."""


def _with_replaced(*beginnings: bytes) -> tuple[bytes, ...]:
    return (*beginnings, *(start.decode(errors="replace").encode() for start in beginnings))


_COMPRESSED = _with_replaced(b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b"\x78\xda")  # gzip, zstd, zlib
_UTF16 = _with_replaced(b"\xff\xfe", b"\xfe\xff")


def read_json(request: Request, *, optional: bool = False, most: int = MAX_BODY_BYTES) -> dict[str, Any]:
    """Return the JSON object of a body of at most ``most`` bytes; ``{}`` for an absent optional body.

    Raise ``ApiError`` ``body_too_large``, ``unsupported_media_type`` or ``malformed_json``, and
    ``InvalidRequest`` for JSON that is not an object.
    """
    body = request.body
    if len(body) > most:
        raise ApiError("body_too_large", wording="" if most == MAX_BODY_BYTES else ":batch")
    if optional and not body.strip():
        return {}
    media_type = request.media_type
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise ApiError("unsupported_media_type")
    content = parse_json(body, encoded=request.is_encoded)
    if not isinstance(content, dict):
        raise InvalidRequest(wrong_type("", "objeto (object)"))
    return content


def parse_json(body: bytes, *, encoded: bool = False) -> Any:
    """Return JSON with ``int`` and ``Decimal``. Raise ``ApiError`` ``malformed_json``, or 415 if compressed.

    A byte order mark before UTF-8 is ignored (RFC 8259 §8.1). ``encoded``: the request says that its body is
    compressed. A readable one is accepted: API Gateway unpacks gzip and may leave the header in place.
    """
    try:
        text = _decode(body)
        decoder = _STRICT if "\\ud" in text or "\\uD" in text else _EXACT
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        failure = _malformed(partial(render_place, error.lineno, error.colno))
    except RecursionError:
        failure = _malformed("…[[[[…")
    except ApiError as error:
        failure = error
    if failure.wording != _EMPTY and (encoded or body.startswith(_COMPRESSED)):
        raise ApiError("unsupported_media_type", wording=":compressed")
    raise failure


def _decode(body: bytes) -> str:
    if not body.removeprefix(codecs.BOM_UTF8).strip():
        raise ApiError("malformed_json", wording=_EMPTY)
    if body.startswith(_UTF16) or b"\0" in body[:4]:  # JSON begins with ASCII
        raise ApiError("malformed_json", wording=":utf16")
    if _REPLACED in body:  # or a code would name a payee that its caller never wrote
        raise _not_utf8(body.index(_REPLACED))
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        mark = len(codecs.BOM_UTF8) if body.startswith(codecs.BOM_UTF8) else 0
        raise _not_utf8(error.start + mark) from None


def render_place(line: int, column: int, language: str) -> str:
    """Return where a body stops being JSON, in ``pt`` or ``en``; both numbers count from 1."""
    return f"line {line}, column {column}" if language == "en" else f"linha {line}, coluna {column}"


def _not_utf8(position: int) -> ApiError:
    return ApiError("malformed_json", wording=":not_utf8", parameters={"byte": position + 1})


def _malformed(reason: str | Callable[[str], str]) -> ApiError:
    return ApiError("malformed_json", parameters={"reason": reason})


def _integer(digits: str) -> int | Decimal:
    # int() is quadratic and rejects over 4,300 digits; no field takes such a number.
    return int(digits) if len(digits) <= _MAX_INT_DIGITS else Decimal(digits)


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:  # an exponent out of Decimal's range
        return Decimal("1E-999999" if "e-" in digits.lower() else "1E+999999")


def _reject_constant(constant: str) -> None:
    raise _malformed(constant)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        ((double, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise _malformed(f"{shorten_name(double)!a} ×2")
    return content


def _unique_in_unicode(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of pairs; an escaped half of a surrogate pair is not Unicode, and is malformed."""
    content = _unique(pairs)
    for name, value in pairs:
        _reject_lone_surrogates(name)
        _reject_lone_surrogates(value)
    return content


def _reject_lone_surrogates(value: Any) -> None:
    if isinstance(value, list):
        for item in value:
            _reject_lone_surrogates(item)
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise _malformed(r"\ud800-\udfff") from None


def _decoder(read_object: Callable[[list[tuple[str, Any]]], dict[str, Any]]) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_int=_integer,
        parse_float=_decimal,
        parse_constant=_reject_constant,
        object_pairs_hook=read_object,
    )


_EXACT, _STRICT = _decoder(_unique), _decoder(_unique_in_unicode)
"""``_STRICT`` reads bodies that escape surrogates, the only way to write a half of a pair in UTF-8."""
