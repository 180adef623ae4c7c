"""Which gateway key an account's calls are throttled by: its lane.

API Gateway throttles a usage plan by gateway key, so whoever shares a key shares its rate: hence many keys
a plan, one of its own for a paying account, and slow ones for those whose month is used up. The names
follow from plan and account alone, and in this mode (``ApiKeySourceType: AUTHORIZER``) are not secret.

>>> throttle_group_of(None, 0.0), own_lane("pro", "acc_1")
('demo-00-gateway-key', 'pro-acc_1')
"""

import zlib

from brskills_server.accounts.account import DEMO, Account
from brskills_server.accounts.plans import PLANS, SPENT_LANES

__all__ = ["QUOTA_EXHAUSTED", "SHARED_THROTTLE_GROUPS", "own_lane", "throttle_group_of"]

QUOTA_EXHAUSTED = "spent"
"""The usage plan of accounts whose month is used up."""

_SIZES = {plan.id: plan.lanes for plan in PLANS.values()} | {QUOTA_EXHAUSTED: SPENT_LANES}

SHARED_THROTTLE_GROUPS = {
    plan: [f"{plan}-{n:02}-gateway-key" for n in range(size)] for plan, size in _SIZES.items()
}
"""The gateway keys that ``template.yaml`` makes, by usage plan; there the stack's name stands before each."""


def throttle_group_of(account: Account | None, now: float) -> str:
    """The name of the gateway key for an account at ``now``; ``None`` is the demo key's.

    A used-up month decides first, then a key of its own that is ready for the plan the account has.
    """
    if account is None:
        return SHARED_THROTTLE_GROUPS[DEMO][0]
    if account.quota(now).used_up:
        return _shared(QUOTA_EXHAUSTED, account.id)
    if account.own_lane == account.plan:
        return own_lane(account.plan, account.id)
    return _shared(account.plan, account.id)


def own_lane(plan: str, account: str) -> str:
    """The name of an account's own gateway key on a plan."""
    return f"{plan}-{account}"


def _shared(plan: str, account: str) -> str:
    lanes = SHARED_THROTTLE_GROUPS[plan]
    return lanes[zlib.crc32(account.encode()) % len(lanes)]
