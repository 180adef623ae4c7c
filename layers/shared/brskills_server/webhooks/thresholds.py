"""Events for accounts that have used 80 and 100 % of the month's calls: ``usage.threshold``."""

import time
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Protocol

from brskills_server.accounts import calendar
from brskills_server.accounts.ports import AccountReader
from brskills_server.webhooks.event import Event, usage_threshold
from brskills_server.webhooks.ports import WebhookStore
from brskills_server.webhooks.webhook import USAGE_THRESHOLD

PERCENTAGES = (80, 100)
PAGE = 500
_KEPT_SECONDS = 40 * 86_400  # longer than any month


class ThresholdStore(WebhookStore, AccountReader, Protocol):
    """Webhooks, and the accounts that they belong to."""


class Thresholds:
    """A sweep over the accounts that want to know. ``clock``: epoch seconds."""

    def __init__(self, store: ThresholdStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._said: set[str] = set()

    def sweep(self) -> None:
        """Add the event of each percentage that an account has reached, unless it was added before.

        Any number of processes may do it at once. Raise ``StoreUnavailable``.
        """
        said = set()
        for account in self._accounts():
            for event in self._reached(account):
                said.add(event.id)
                if event.id not in self._said:  # else each sweep would write
                    now = int(self._clock())
                    self._store.add_event(account, event, now, now + _KEPT_SECONDS)
        self._said = said

    def _accounts(self) -> Iterator[str]:
        """Yield the accounts with a webhook that wants the event."""
        after = ("", "")
        while page := self._store.webhooks_of_all(after, PAGE):
            wanting = [webhook.account for webhook in page if webhook.wants(USAGE_THRESHOLD)]
            yield from (account for account, _ in groupby(wanting))
            after = (page[-1].account, page[-1].id)

    def _reached(self, account: str) -> Iterator[Event]:
        found, now = self._store.read_account(account), self._clock()
        if found is None or not found.monthly_limit:
            return
        month = calendar.month_name(now)
        calls = found.calls.get(month, 0)
        for percent in PERCENTAGES:
            if 100 * calls >= percent * found.monthly_limit:
                yield usage_threshold(
                    account, found.plan, month, found.monthly_limit, calls, percent, int(now)
                )
