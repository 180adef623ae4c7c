"""The form of an API key: ``brsk_`` + 32 random characters + 6 of checksum, all base 62.

Secret scanners recognize the prefix, and the checksum rejects a mistyped key without a read.

>>> key = generate()
>>> is_well_formed(key), is_well_formed(key[:-1] + "!")
(True, False)
"""

import hashlib
import re
import secrets
import string
import zlib

PREFIX = "brsk_"
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FORM = re.compile(PREFIX + r"[0-9A-Za-z]{38}\Z")


def generate() -> str:
    """Return a new key with 190 random bits."""
    body = letters(32)
    return PREFIX + body + checksum(body)


def letters(length: int) -> str:
    """Return random base-62 characters, of 5.95 bits each."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def checksum(body: str) -> str:
    """Return the CRC-32 of a text in six base-62 digits."""
    return base62(zlib.crc32(body.encode()), 6)


def base62(number: int, length: int) -> str:
    """Return the last ``length`` base-62 digits of a number."""
    digits = ""
    for _ in range(length):
        number, digit = divmod(number, 62)
        digits = _ALPHABET[digit] + digits
    return digits


def is_well_formed(key: str) -> bool:
    """Return whether a text has a key's form and checksum; it need not be in use."""
    return bool(_FORM.match(key)) and checksum(key[5:37]) == key[37:]


def digest(key: str) -> str:
    """Return the SHA-256 of a key in hex, by which it is stored. 190 random bits need no salt."""
    return hashlib.sha256(key.encode()).hexdigest()
