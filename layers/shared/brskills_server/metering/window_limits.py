"""Limits that every process shares, by one conditional write; they may raise ``StoreUnavailable``."""

import math
import time
from collections.abc import Callable, Collection

from brskills_server.accounts import calendar
from brskills_server.accounts.ports import WindowStore
from brskills_server.metering.errors import UncountedLimit
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS, RECORD_SECONDS

_SHARE = 10  # an account may use a tenth
_KEPT_SECONDS = 86_400
_HOUR = 3_600


class PaidShares:
    """The share of the day's paid look-ups that one account may use, so that none uses all of them.

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
        """Take one call of an account's share; ``False`` if it is used up."""
        now = self._clock()
        expires_at = int(calendar.hour(now).day_ends.timestamp()) + _KEPT_SECONDS
        return self._store.count_in_window(f"paid:{account}", calendar.day_name(now), self.limit, expires_at)


class RepeatAttempts:
    """New attempts, one a minute, at a repeated idempotent request for which no answer was stored."""

    def __init__(self, store: WindowStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def take_attempt(self, request: str, since: int) -> bool:
        """Take this minute's attempt at a request first counted at ``since``; ``False`` if it is taken."""
        minute = int(self._clock() - since) // ATTEMPT_SECONDS
        name, expires_at = f"repeat:{request}:{minute}", since + RECORD_SECONDS
        return self._store.count_in_window(name, calendar.day_name(since), 1, expires_at)


class WebhookTests:
    """Test events that an account may have sent to its webhooks in an hour, so that no host is flooded."""

    MOST = 60

    def __init__(self, store: WindowStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def take(self, account: str) -> None:
        """Take one of this hour's. Raise ``UncountedLimit`` if there is none left."""
        now = self._clock()
        hour, passed = divmod(int(now), _HOUR)
        name, day = f"test-event:{account}:{hour}", calendar.day_name(now)
        if not self._store.count_in_window(name, day, self.MOST, int(now) + _KEPT_SECONDS):
            raise UncountedLimit(_HOUR - passed)


class RepeatFollows:
    """Times that repetitions of an idempotent request follow its locations again."""

    MOST = 5

    def __init__(self, store: WindowStore) -> None:
        self._store = store

    def take(self, request: str, since: int) -> bool:
        """Take one time of a request first counted at ``since``; ``False`` if there is none left."""
        name, expires_at = f"repeat:{request}:follow", since + RECORD_SECONDS
        return self._store.count_in_window(name, calendar.day_name(since), self.MOST, expires_at)
