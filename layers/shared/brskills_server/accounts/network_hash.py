"""Pseudonyms of callers' addresses and e-mails: hashes with a secret salt that is kept two months at most."""

import hashlib
import hmac
import ipaddress
import secrets

from brskills_server.accounts import calendar
from brskills_server.accounts.ports import SaltStore

_KEPT_SECONDS = 31 * 86400  # after the month's end: sign-ups are counted over thirty days

SITE_ALLOWANCE = 8
"""How many times the limit of an IPv6 /64 its /48 has: providers give one customer a /48 as readily as a /64,
and a /48 has 65,536 of them."""


def network_of(address: str) -> str:
    """Return the network counted as one caller: an IPv4 address, or the /64 of an IPv6 one.

    >>> network_of("2001:db8::7:1"), network_of("::ffff:192.0.2.9"), network_of("192.0.2.9")
    ('2001:db8::', '192.0.2.9', '192.0.2.9')
    """
    parsed = parse_address(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        network = ipaddress.IPv6Network((parsed, 64), strict=False).network_address
        return str(parsed.ipv4_mapped or network)
    return str(parsed or "unknown")  # a transport without addresses


def site_of(network: str) -> str:
    """Return the /48 of a /64 of ``network_of``; empty for an IPv4 address.

    >>> site_of("2001:db8:1:2::"), site_of("192.0.2.9"), site_of("unknown")
    ('2001:db8:1::/48', '', '')
    """
    return str(ipaddress.IPv6Network((network, 48), strict=False)) if ":" in network else ""


def parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address in a text, with or without a port; ``None`` if it is none.

    >>> parse_address("192.0.2.9:443"), parse_address("unknown")
    (IPv4Address('192.0.2.9'), None)
    """
    try:
        return ipaddress.ip_address(_without_port(text.strip()))
    except ValueError:
        return None


def _without_port(address: str) -> str:
    # Some proxies write 192.0.2.9:443 and [2001:db8::1]:443 into X-Forwarded-For.
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


class Pseudonyms:
    """Stable pseudonyms, within a month, of addresses and e-mails."""

    def __init__(self, store: SaltStore) -> None:
        self._store = store
        self._salts: dict[str, bytes] = {}

    def of(self, identifier: str, now: float) -> str:
        """Return the pseudonym of an identifier in the month of ``now``: 32 hex digits."""
        month = calendar.month_name(now)
        salt = self._salts.get(month)
        if salt is None:
            expires_at = calendar.hour(now).month_ends_at + _KEPT_SECONDS
            salt = self._store.month_salt(month, secrets.token_bytes(32), expires_at)
            self._salts = {
                **dict([*self._salts.items()][-2:]),
                month: salt,
            }  # replaced whole: threads read it
        return hmac.new(salt, identifier.encode(), hashlib.sha256).hexdigest()[:32]
