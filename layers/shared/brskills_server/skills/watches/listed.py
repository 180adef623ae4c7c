"""Pages of lists of an account: their fields, and their cursors, which are opaque texts for callers.

A cursor says behind what the next page begins, with a checksum over it, the list and the account, so that one
of another account, whose place would leave out changes here, is refused.
"""

import base64
import binascii
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from brskills_server.registry.dates import iso_instant
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import FieldIssue
from brskills_server.skills.shape import Shape, as_whole_number, check_shape
from brskills_server.watches.watch import Watch

DEFAULT_LIMIT, MOST_LIMIT = 25, 100
SHAPES: Mapping[str, Shape] = {"limite": Shape(int, limits=(1, MOST_LIMIT)), "cursor": Shape(str)}

_CHECK, _LONGEST = 8, 100
_INVALID = {
    "pt": "O cursor não é desta lista e desta conta. Recomece sem cursor.",
    "en": "The cursor does not belong to this list and this account. Start again without a cursor.",
}


class Page(NamedTuple):
    """A checked request of a page; ``cursor`` is empty for the first one."""

    limit: int
    cursor: str


def read_page(content: dict[str, Any]) -> Page:
    """Return the page that a request asks for. Raise ``InvalidRequest`` with all issues of its fields."""
    if issues := check_shape(SHAPES, content):
        raise InvalidRequest(*issues)
    limit = content.get("limite")
    cursor = content.get("cursor")
    return Page(DEFAULT_LIMIT if limit is None else as_whole_number(limit), "" if cursor is None else cursor)


def write_cursor(after: str, kind: str, account: str) -> str:
    """Return the cursor of a list behind ``after``, ASCII, as text that needs no encoding in a URL.

    >>> read_cursor(write_cursor("33000167000101", "watches", "acc_1"), "watches", "acc_1")
    '33000167000101'
    """
    content = after.encode()
    return base64.urlsafe_b64encode(_checksum(content, kind, account) + content).rstrip(b"=").decode()


def read_cursor(text: str, kind: str, account: str) -> str:
    """Return behind what a cursor begins. Raise ``InvalidRequest`` if it is of another list, or none."""
    after = _content(text)[_CHECK:].decode("ascii", "replace")
    if not after.isascii() or write_cursor(after, kind, account) != text:  # nor another way to write the same
        raise InvalidRequest(FieldIssue("cursor", "invalid_cursor", _INVALID))
    return after


def listed_watch(watch: Watch) -> dict[str, Any]:
    """Return a watch as callers see it."""
    return {"cnpj": watch.cnpj, "referencia": watch.reference or None, "desde": iso_instant(watch.since)}


def _content(text: str) -> bytes:
    """Return the bytes of a text in base64; none if it is not base64."""
    if len(text) > _LONGEST or not text.isascii():
        return b""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        return b""


def _checksum(content: bytes, kind: str, account: str) -> bytes:
    list_of = f"{kind}\0{account}".encode()
    return blake2b(content, digest_size=_CHECK, key=blake2b(list_of, digest_size=64).digest()).digest()
