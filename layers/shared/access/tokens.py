"""The forms of what clients get: a prefix, parts of fixed lengths and 6 of checksum, all base 62.

As with keys (``access.api_key``), the prefix lets secret scanners recognise a leaked token, the checksum lets
us refuse a mistyped one without asking the store, and only digests of the secret parts are ever stored.

>>> code = write(CODE, "a" * 16, "b" * 32)
>>> read(CODE, code) == ("a" * 16, "b" * 32), read(ACCESS, code), read(CODE, code[:-1] + "!")
(True, None, None)
"""

import re

from access.api_key import base62, checksum, letters

__all__ = ["ACCESS", "CLIENT", "CODE", "REFRESH", "id_for", "new_id", "new_secret", "read", "write"]

CODE, ACCESS, REFRESH, CLIENT = "brsk_ac_", "brsk_at_", "brsk_rt_", "brsk_cl_"

_ID, _SECRET = 16, 32
_PARTS = {
    CODE: (_ID, _SECRET),
    ACCESS: (_ID, _SECRET),
    REFRESH: (_ID, _SECRET, _SECRET),
    CLIENT: (_ID,),
}
_CHECK = 6
_LETTERS = re.compile("[0-9A-Za-z]+")


def new_id() -> str:
    """What names a grant or a client: 95 random bits, no secret."""
    return letters(_ID)


def id_for(digest: bytes) -> str:
    """An id of that form which stands for what has this digest, of 12 bytes or more."""
    return base62(int.from_bytes(digest), _ID)


def new_secret() -> str:
    """A secret of 190 random bits, which need no salt."""
    return letters(_SECRET)


def write(prefix: str, *parts: str) -> str:
    """The text with these parts: of a client its id, of a code or access token the grant's id and a secret.

    Of a refresh token the grant's id, the secret of its family and that of its turn.
    """
    body = "".join(parts)
    return prefix + body + checksum(body)


def read(prefix: str, text: str) -> tuple[str, ...] | None:
    """The parts of a text with this prefix; ``None`` where it has another form or checksum."""
    lengths, body = _PARTS[prefix], text.removeprefix(prefix)
    if body == text or len(body) != sum(lengths) + _CHECK or not _LETTERS.fullmatch(body):
        return None
    rest, check = body[:-_CHECK], body[-_CHECK:]
    if checksum(rest) != check:
        return None
    starts = [sum(lengths[:n]) for n in range(len(lengths))]
    return tuple(rest[start : start + length] for start, length in zip(starts, lengths, strict=True))
