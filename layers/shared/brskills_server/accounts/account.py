"""The values that the rules of this package work on: an account and who calls in its name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from brskills_server.accounts import calendar as month
from brskills_server.accounts.billing import Billing
from brskills_server.metering.quota import Quota

__all__ = ["DEMO", "Account", "Caller"]

DEMO = "demo"
"""The account id and plan of the public key."""


class Caller(NamedTuple):
    """Who calls: an account, the digest of the key used and, for the demo key, the hashed address.

    ``site``: hash of the address's IPv6 /48, empty for IPv4.
    """

    account: str
    key: str
    address: str = ""
    site: str = ""

    @property
    def is_demo(self) -> bool:
        """Whether this is the public key, which has no account in the store."""
        return self.account == DEMO


@dataclass(frozen=True, slots=True)
class Account:
    """An account as the store has it; times are Unix seconds.

    ``monthly_limit``: ``None`` is unlimited. ``keys``: digest → the time it expires at, 0 for never.
    ``calls``: month as ``2026-11`` → counted calls. ``own_lane``: the plan for which a gateway key of its
    own is ready, empty where none is (see ``brskills_server.accounts.dedicated_gateway_keys``). ``skills``: names of the custom skills that
    were granted to it, beside those of its plan.
    """

    id: str
    plan: str
    monthly_limit: int | None
    keys: Mapping[str, int]
    calls: Mapping[str, int] = field(default_factory=dict)
    created_at: int = 0
    email: str | None = None
    billing: Billing = field(default_factory=Billing)
    own_lane: str = ""
    skills: frozenset[str] = frozenset()

    def is_active(self, key: str, now: float) -> bool:
        """Whether a key, by its digest, belongs to the account and has not expired."""
        expiry = self.keys.get(key)
        return expiry is not None and (expiry == 0 or expiry > now)

    def has_room(self, month: str, calls: int) -> bool:
        """Whether the limit of a month leaves room for so many calls more."""
        return self.monthly_limit is None or self.calls.get(month, 0) + calls <= self.monthly_limit

    def quota(self, now: float) -> Quota:
        """How the account stands in the month of ``now``."""
        name = month.name_of(now)
        return Quota(self.plan, name, self.calls.get(name, 0), self.monthly_limit, now)

    def history(self, before: str = "9999-99") -> dict[str, int]:
        """Calls by month, oldest first, up to but without the month ``before``."""
        return {name: self.calls[name] for name in sorted(self.calls) if name < before}
