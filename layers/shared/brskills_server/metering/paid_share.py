"""The share of the day's paid look-ups that one account may use.

The registry limits all accounts together; this limit keeps one account from using all of that. A call
is one conditional write, so a share is exact across processes.
"""

import math
import time
from collections.abc import Callable, Collection

from brskills_server.accounts import calendar
from brskills_server.accounts.ports import WindowStore

_SHARE = 10  # an account may use a tenth
_KEPT_SECONDS = 86_400


class PaidShares:
    """Paid look-ups by account and day.

    ``plans``: those with a share; ``per_day``: the day's of all accounts.
    """

    def __init__(
        self,
        store: WindowStore,
        plans: Collection[str],
        per_day: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._clock = clock
        self.limit = math.ceil(per_day / _SHARE)
        self.plans = frozenset(plans) if self.limit > 0 else frozenset[str]()
        """Plans whose accounts may have paid look-ups."""

    def take(self, account: str) -> bool:
        """Take one call of an account's share; ``False`` if it is used up. May raise ``StoreUnavailable``."""
        now = self._clock()
        expires_at = int(calendar.hour(now).day_ends.timestamp()) + _KEPT_SECONDS
        return self._store.count_in_window(f"paid:{account}", calendar.day_name(now), self.limit, expires_at)
