"""The form of an API key: ``brsk_`` + 32 random characters + 6 of checksum, all base 62.

The prefix lets secret scanners recognise a leaked key, the checksum lets us refuse a mistyped one
without asking the store. Only :func:`digest` of a key is ever stored.

>>> key = generate()
>>> is_well_formed(key), is_well_formed(key[:-1] + "!")
(True, False)
"""

import hashlib
import re
import secrets
import string
import zlib

__all__ = ["PREFIX", "base62", "checksum", "digest", "generate", "is_well_formed", "letters"]

PREFIX = "brsk_"
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FORM = re.compile(PREFIX + r"[0-9A-Za-z]{38}\Z")


def generate() -> str:
    """A new key with 190 random bits."""
    body = letters(32)
    return PREFIX + body + checksum(body)


def letters(length: int) -> str:
    """So many random base-62 characters, of 5.95 bits each."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def checksum(body: str) -> str:
    """CRC-32 of a random part in six base-62 digits."""
    return base62(zlib.crc32(body.encode()), 6)


def base62(number: int, length: int) -> str:
    """The last so many base-62 digits of a number."""
    digits = ""
    for _ in range(length):
        number, digit = divmod(number, 62)
        digits = _ALPHABET[digit] + digits
    return digits


def is_well_formed(key: str) -> bool:
    """Whether a text has a key's form and checksum; says nothing about its being in use."""
    return bool(_FORM.match(key)) and checksum(key[5:37]) == key[37:]


def digest(key: str) -> str:
    """What stands for a key in the store: its SHA-256 in hex. 190 random bits need no salt."""
    return hashlib.sha256(key.encode()).hexdigest()
