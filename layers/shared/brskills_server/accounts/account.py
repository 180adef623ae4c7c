"""An account, and the caller that uses one of its keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from brskills_server.accounts.billing import Billing

DEMO = "demo"
"""The account id and plan of the public demo key."""


class Caller(NamedTuple):
    """Account and key digest of a call; for the demo key, hashes of its address and IPv6 /48 (or empty)."""

    account: str
    key: str
    address: str = ""
    site: str = ""

    @property
    def is_demo(self) -> bool:
        """Whether the key is the public demo key, which has no account in the store."""
        return self.account == DEMO


@dataclass(frozen=True, slots=True)
class Account:
    """An account as stored; times are Unix seconds.

    ``monthly_limit``: ``None`` is unlimited. ``keys``: digest → expiry, 0 for never. ``calls``: month as
    ``2026-11`` → counted calls. ``dedicated_gateway_key``: the plan for which the account's own gateway key
    is ready, or empty. ``skills``: custom skills granted beside those of the plan.
    """

    id: str
    plan: str
    monthly_limit: int | None
    keys: Mapping[str, int]
    calls: Mapping[str, int] = field(default_factory=dict)
    created_at: int = 0
    email: str | None = None
    billing: Billing = field(default_factory=Billing)
    dedicated_gateway_key: str = ""
    skills: frozenset[str] = frozenset()

    def is_active(self, key: str, now: float) -> bool:
        """Return whether a key, by its digest, belongs to the account and has not expired."""
        expiry = self.keys.get(key)
        return expiry is not None and (expiry == 0 or expiry > now)

    def has_room(self, month: str, calls: int) -> bool:
        """Return whether the limit of a month has room for this many more calls."""
        return self.monthly_limit is None or self.calls.get(month, 0) + calls <= self.monthly_limit

    def history(self, before: str = "9999-99") -> dict[str, int]:
        """Return calls by month, oldest first, without the month ``before`` and later ones."""
        return {name: self.calls[name] for name in sorted(self.calls) if name < before}
