"""Feeds of changes in the Watches table, and how far watches were compared."""

import random
import time
from collections.abc import Sequence
from itertools import islice
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.claims import DynamoClaims
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.values import change as parts_of
from brskills_server.adapters.dynamodb.watch_items import (
    ANNOUNCEMENT,
    FEED,
    announcement_fields,
    announcement_of,
    change_items,
    change_key,
    listed_of,
)
from brskills_server.adapters.dynamodb.watches import EXISTS
from brskills_server.watches.watch import Announcement, Change, Listed
from brskills_server.webhooks.event import company_changed

_system = random.SystemRandom()  # shares no state with another thread or a restored copy

_PAUSES = (0.05, 0.1, 0.2, 0.4, *[0.8] * 8)  # seconds, at most, after another had the place
_AT_ONCE = 7  # of up to 400 KB each and 20 KB for each webhook: a transaction takes 4 MB and 100 writes
_ACCOUNT, _FIRST_ID = 0, 2  # among the writes of a transaction, in which every other one from here is an id


class DynamoFeeds(DynamoClaims):
    """``WatchStore``: changes, and the announcement."""

    def add_changes(self, changes: Sequence[tuple[str, Change]], now: int, expires_at: int) -> None:
        """Transactions of up to 7 changes of an account, each after a Query of its webhooks and a GetItem."""
        by_account: dict[str, dict[str, Change]] = {}
        for account, change in changes:
            by_account.setdefault(account, {}).setdefault(change.id, change)
        for account, of_account in by_account.items():
            several = list(of_account.values())
            for start in range(0, len(several), _AT_ONCE):
                self._append(account, several[start : start + _AT_ONCE], now, expires_at)

    def _append(self, account: str, changes: Sequence[Change], now: int, expires_at: int) -> None:
        """Append changes to a feed together, without those that it has, and deliveries of them.

        Places follow each other as their transactions do, so that none appears behind a later one.
        """
        is_unknown = parts_of("", {}, {"now": now}, "attribute_not_exists(pk) OR expires_at <= :now")
        for pause in _PAUSES:
            called = self._called(account, (company_changed(account, one, now) for one in changes), now)
            last = self._last_place(account)
            writes = [
                self._table.checking(ACCOUNT + account, EXISTS),
                self._watches.updating((ACCOUNT + account, FEED), _next_places(last, len(changes))),
            ]
            for place, change in enumerate(changes, last + 1):
                item, id_item = change_items(account, Listed(place, change), expires_at)
                writes += [self._watches.putting(id_item, is_unknown), self._watches.putting(item, {})]
            try:
                self._table.together(*writes, *self._additions(called, now))
            except ConditionFailed as failed:
                changes = [one for n, one in enumerate(changes) if _FIRST_ID + 2 * n not in failed.writes]
                if _ACCOUNT in failed.writes or not changes:
                    return
                time.sleep(_system.uniform(0, pause))  # so that two do not collide again
            else:
                self._wake_all(called, now)
                return
        raise StoreUnavailable("the feed grows too quickly")

    def list_changes(self, account: str, after: int, limit: int, now: int) -> list[Listed]:
        """GetItem of the last place, and Query up to it: behind it a later change may be seen first."""
        last = self._last_place(account)
        if last <= after:
            return []
        (pk, start), (_, end) = change_key(account, after + 1), change_key(account, last)
        found = self._watches.query(pk, start, end, limit)
        return [listed_of(item) for item in islice((i for i in found if i["expires_at"] > now), limit)]

    def _last_place(self, account: str) -> int:
        return int((self._watches.get((ACCOUNT + account, FEED)) or {"place": 0})["place"])

    def read_announcement(self) -> Announcement | None:
        item = self._watches.get(ANNOUNCEMENT)
        return None if item is None else announcement_of(item)

    def write_announcement(self, announcement: Announcement) -> bool:
        """PutItem."""
        before = announcement.version - 1
        as_read = "version = :before" if before else "attribute_not_exists(pk)"
        parts = parts_of("", {}, {"before": before} if before else {}, as_read)
        return self._watches.try_put(announcement_fields(announcement), parts)


def _next_places(last: int, more: int) -> dict[str, Any]:
    if not last:
        return parts_of("SET place = :next", {}, {"next": more}, "attribute_not_exists(pk)")
    return parts_of("SET place = :next", {}, {"next": last + more, "last": last}, "place = :last")
