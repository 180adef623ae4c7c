"""Long texts as DynamoDB stores them: deflated, which makes them cheaper to read."""

import zlib
from contextlib import suppress

_DEFLATED_FROM = 4_000  # bytes: a read of up to 4 KB is the least that is charged
_MOST = 390_000  # bytes of a body; DynamoDB takes 400 KB an item, its names and key included


def packed(body: str) -> str | bytes:
    """Return a body as stored; empty, so that providers are called, where it is too long even deflated."""
    if len(body) * 4 < _DEFLATED_FROM or len(content := body.encode()) < _DEFLATED_FROM:
        return body
    short = zlib.compress(content, 9)
    return short if len(short) <= _MOST else ""


def unpacked(body: object) -> str:
    """Return the body of what :func:`packed` returned. Raise ``ValueError`` for anything else."""
    if isinstance(body, str):
        return body
    if isinstance(body, bytes):
        with suppress(zlib.error, UnicodeDecodeError):
            return zlib.decompress(body).decode()
    raise ValueError("a row that cannot be unpacked")
