"""A caller's address as the ledger keeps it: a salted hash of the network, forgotten after the month.

Addresses are few enough to try them all, so the salt is secret, new each month and deleted later on;
what was hashed with it can then no longer be traced to anybody.
"""

import hashlib
import hmac
import ipaddress
import secrets

from access import month
from access.ports import SaltStore

__all__ = ["Pseudonyms", "network_of"]

_KEPT_SECONDS = 40 * 86400


def network_of(address: str) -> str:
    """What counts as one caller: an IPv4 address, or the /64 of an IPv6 one.

    >>> network_of("2001:db8::7:1"), network_of("::ffff:192.0.2.9"), network_of("192.0.2.9")
    ('2001:db8::', '192.0.2.9', '192.0.2.9')
    """
    try:
        parsed = ipaddress.ip_address(_without_port(address.strip()))
    except ValueError:
        return "unknown"  # everybody without an address shares one allowance
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.IPv6Network((parsed, 64), strict=False).network_address)
    return str(parsed)


def _without_port(address: str) -> str:
    # Some proxies write 192.0.2.9:443 and [2001:db8::1]:443 into X-Forwarded-For.
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


class Pseudonyms:
    """Stable stand-ins, within a month, for addresses and e-mails."""

    def __init__(self, store: SaltStore) -> None:
        self._store = store
        self._salts: dict[str, bytes] = {}

    def of(self, identifier: str, now: float) -> str:
        """32 hex digits that stand for an identifier in the month of ``now``."""
        name = month.name_of(now)
        if name not in self._salts:
            salt = self._store.month_salt(name, secrets.token_bytes(32), int(now) + _KEPT_SECONDS)
            self._salts = {name: salt}
        return hmac.new(self._salts[name], identifier.encode(), hashlib.sha256).hexdigest()[:32]
