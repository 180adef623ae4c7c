"""Cursors: where in the results of a search the next page begins, as an opaque text for callers.

A cursor holds the number that the last page ended with and the id of its month, and a checksum over these and
the search. The checksum has no secret: a forged cursor would only begin the same search at another number.
So one that another installation made is as good as one of a month that is gone here, and expires like it.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import fields
from hashlib import blake2b
from typing import NamedTuple

from brskills_server.registry.search.criteria import Criteria

_NUMBER, _CHECK = 14, 8
_LONGEST = 200


class InvalidCursor(Exception):
    """Not a cursor of this search."""


class Cursor(NamedTuple):
    """The number behind which a page begins, and the id of its month."""

    after: str
    edition_id: str


def write_cursor(cursor: Cursor, criteria: Criteria) -> str:
    """Return the cursor of a search as text that needs no encoding in a URL.

    >>> cursor = write_cursor(Cursor("33000167000101", "5f1d"), Criteria(states=("RJ",)))
    >>> read_cursor(cursor, Criteria(states=("RJ",)))
    Cursor(after='33000167000101', edition_id='5f1d')
    """
    content = "".join(cursor).encode()
    return base64.urlsafe_b64encode(_checksum(content, criteria) + content).rstrip(b"=").decode()


def read_cursor(text: str, criteria: Criteria) -> Cursor:
    """Return what a cursor says. Raise ``InvalidCursor`` if it is of another search, or none."""
    if len(text) > _LONGEST or not text.isascii():
        raise InvalidCursor
    try:
        decoded = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        content = decoded[_CHECK:].decode("ascii")
    except (binascii.Error, ValueError):
        raise InvalidCursor from None
    cursor = Cursor(content[:_NUMBER], content[_NUMBER:])
    if not cursor.edition_id or write_cursor(cursor, criteria) != text:  # nor another way to write the same
        raise InvalidCursor
    return cursor


def _checksum(content: bytes, criteria: Criteria) -> bytes:
    """Return a digest of a cursor's content and its search.

    Fields that are not given are left out, so that a release with further fields reads the same cursors.
    """
    given = {field.name: getattr(criteria, field.name) for field in fields(criteria)}
    named = {name: value for name, value in given.items() if value not in ((), None)}
    search = json.dumps(named, sort_keys=True, default=str).encode()
    return blake2b(search, digest_size=_CHECK, key=blake2b(content, digest_size=64).digest()).digest()
