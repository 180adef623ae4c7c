"""The form of codes, tokens and client ids: a prefix, parts of fixed lengths and 6 of checksum, all base 62.

As with keys (``api_key``), only digests of the secret parts are stored.

>>> code = write(CODE, "a" * 16, "b" * 32)
>>> read(CODE, code) == ("a" * 16, "b" * 32), read(ACCESS, code), read(CODE, code[:-1] + "!")
(True, None, None)
"""

import re

from brskills_server.accounts.api_key import base62, checksum, letters

CODE, ACCESS, REFRESH, CLIENT = "brsk_ac_", "brsk_at_", "brsk_rt_", "brsk_cl_"

_ID = re.compile(r"[0-9A-Za-z]{16}")
_LENGTHS = {CODE: (16, 32), ACCESS: (16, 32), REFRESH: (16, 32, 32), CLIENT: (16,)}
_FORMS = {
    prefix: re.compile(prefix + "".join(f"([0-9A-Za-z]{{{length}}})" for length in (*lengths, 6)))
    for prefix, lengths in _LENGTHS.items()
}


def new_id() -> str:
    """Return a new id of a grant or client: 95 random bits, not secret."""
    return letters(16)


def id_for(digest: bytes) -> str:
    """Return the id that follows from a digest of 12 bytes or more."""
    return base62(int.from_bytes(digest), 16)


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id."""
    return _ID.fullmatch(text) is not None


def new_secret() -> str:
    """Return a secret of 190 random bits, which need no salt."""
    return letters(32)


def write(prefix: str, *parts: str) -> str:
    """Return the text of these parts.

    Of a client: its id; of a code or access token: the grant's id and a secret; of a refresh token: the
    grant's id, the secret of its family and that of its turn.
    """
    body = "".join(parts)
    return prefix + body + checksum(body)


def read(prefix: str, text: str) -> tuple[str, ...] | None:
    """Return the parts of a text with this prefix; ``None`` if its form or checksum is wrong."""
    found = _FORMS[prefix].fullmatch(text)
    if not found:
        return None
    *parts, check = found.groups()
    return tuple(parts) if checksum("".join(parts)) == check else None
