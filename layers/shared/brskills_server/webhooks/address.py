"""Which addresses webhooks may have, as far as their text shows; names are resolved at delivery.

An address may hold a secret: it reaches no log and no error.
"""

import re
from ipaddress import ip_address

MOST_CHARACTERS = 2048
INVALID, PRIVATE = "invalid_url", "private_address"
"""What is wrong with an address: its form, or that it is not one of the public internet."""

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PUBLIC = re.compile(
    rf"https://(?=[^/]{{1,253}}(?:/|\Z))(?:{_LABEL}\.)+[a-z][a-z0-9-]{{0,61}}[a-z0-9](?::443)?(?P<path>/[!-~]*)?",
    re.IGNORECASE | re.ASCII,
)
_BYTE = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_LOOPBACK = re.compile(
    rf"https?://(?:localhost|127(?:\.{_BYTE}){{3}}|\[::1\])(?::(?P<port>\d{{1,5}}))?(?P<path>/[!-~]*)?",
    re.IGNORECASE | re.ASCII,
)
_HOST = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?(?P<host>\[[^\]/?#]*\]|[^/?#:]*)", re.IGNORECASE)
_NOT_IN_PATHS = frozenset('"<>\\^`{|}#')
_PRIVATE_NAMES = (
    ".local",
    ".localhost",
    ".internal",
    ".lan",
    ".home.arpa",
    ".localdomain",
    ".test",
    ".onion",
)


def find_fault(address: str, *, allow_loopback: bool) -> str | None:
    """Return ``INVALID`` or ``PRIVATE`` for an address that a webhook may not have.

    Allowed is ``https`` on a domain's port 443, without user or fragment. ``allow_loopback``: this machine
    too, also by ``http`` and on any port.

    >>> find_fault("https://erp.example.com/brskills?id=7", allow_loopback=False)
    >>> find_fault("http://erp.example.com/", allow_loopback=False)
    'invalid_url'
    >>> find_fault("https://10.0.0.1/", allow_loopback=False)
    'private_address'
    """
    if allow_loopback and (match := _LOOPBACK.fullmatch(address)):
        return None if _is_valid(match["path"]) and int(match["port"] or 80) in range(1, 65_536) else INVALID
    if _is_private(address):
        return PRIVATE
    match = _PUBLIC.fullmatch(address)
    return None if match and _is_valid(match["path"]) else INVALID


def _is_valid(path: str | None) -> bool:
    return not _NOT_IN_PATHS & set(path or "")


def _is_private(address: str) -> bool:
    """Return whether an address names this machine, a private network or a single label."""
    match = _HOST.match(address)
    if not match:
        return False
    host = match["host"].lower().rstrip(".")
    try:
        return not ip_address(host.strip("[]").partition("%")[0]).is_global
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_PRIVATE_NAMES))
