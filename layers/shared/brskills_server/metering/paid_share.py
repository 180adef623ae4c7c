"""The share of the day's paid look-ups that one account may have.

The limit for all accounts together is the registry's; this one keeps any account from using it up alone. Each
call is one conditional write, so a share is exact for all processes together.
"""

import math
import time
from collections.abc import Callable, Collection

from brskills_server.accounts import calendar as month
from brskills_server.accounts.ports import SignupStore

__all__ = ["PaidShares"]

_SHARE = 10  # an account may have a tenth
_KEPT_SECONDS = 86_400


class PaidShares:
    """Paid look-ups by account and day (of Brasília). ``plans``: whose accounts have a share.

    ``per_day``: the day's calls of all accounts.
    """

    def __init__(
        self,
        store: SignupStore,
        plans: Collection[str],
        per_day: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._plans = plans
        self._clock = clock
        self.limit = math.ceil(per_day / _SHARE)

    def has_share(self, plan: str | None) -> bool:
        """Whether accounts on this plan may have paid look-ups."""
        return plan in self._plans and self.limit > 0

    def claim(self, account: str) -> bool:
        """Take one call of an account's share; ``False``: it is used up. May raise ``StoreUnavailable``."""
        now = self._clock()
        expires_at = int(month.end_of_day(now).timestamp()) + _KEPT_SECONDS
        return self._store.count_signup(f"paid:{account}", month.name_of_day(now), self.limit, expires_at)
