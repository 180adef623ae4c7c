"""Throttle groups: the gateway key by which an account's calls are throttled.

API Gateway throttles each gateway key of a usage plan, and accounts that share a key share its rate. Their
names are not secret in this mode (``ApiKeySourceType: AUTHORIZER``).

>>> throttle_group_of(None, 0.0), dedicated_key_name("pro", "acc_1")
('demo-00-gateway-key', 'pro-acc_1')
"""

import zlib

from brskills_server.accounts import calendar
from brskills_server.accounts.account import DEMO, Account
from brskills_server.accounts.plans import PLANS, QUOTA_EXHAUSTED_GROUPS

QUOTA_EXHAUSTED = "spent"
"""The usage plan of accounts with an exhausted quota."""

_SIZES = {plan.id: plan.throttle_groups for plan in PLANS.values()} | {
    QUOTA_EXHAUSTED: QUOTA_EXHAUSTED_GROUPS
}

SHARED_THROTTLE_GROUPS = {
    plan: [f"{plan}-{n:02}-gateway-key" for n in range(size)] for plan, size in _SIZES.items()
}
"""The gateway keys in ``template.yaml`` by usage plan; there the stack's name is prefixed to each."""


def throttle_group_of(account: Account | None, now: float) -> str:
    """Return the name of the gateway key for an account; ``None`` is the demo key's.

    An exhausted quota decides first, then a dedicated key that is ready for the account's plan.
    """
    if account is None:
        return SHARED_THROTTLE_GROUPS[DEMO][0]
    if not account.has_room(calendar.month_name(now), 1):
        return _shared(QUOTA_EXHAUSTED, account.id)
    if account.dedicated_gateway_key == account.plan:
        return dedicated_key_name(account.plan, account.id)
    return _shared(account.plan, account.id)


def dedicated_key_name(plan: str, account: str) -> str:
    """Return the name of an account's dedicated gateway key on a plan."""
    return f"{plan}-{account}"


def _shared(plan: str, account: str) -> str:
    groups = SHARED_THROTTLE_GROUPS[plan]
    return groups[zlib.crc32(account.encode()) % len(groups)]
