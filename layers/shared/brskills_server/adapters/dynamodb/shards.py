"""Shards: further items that count the calls of an account without a monthly limit.

DynamoDB writes an item 1,000 times a second. An account on a plan with a higher rate than one item takes has
shards, ``ACCOUNT#<id>#<n>`` from 1 on, with the account's plan and keys and their own counters; the account's
item is the first of them, and counts free absences alone. An account with a limit has none, since only a
condition on the whole count is exact.
"""

import math
from collections import Counter
from collections.abc import Sequence
from random import randrange

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.plans import PLANS
from brskills_server.adapters.dynamodb.items import ACCOUNT, CALLS, UNCOUNTED
from brskills_server.adapters.dynamodb.table import Item, Table

MOST = 64
"""Items of an account: a transaction changes its keys in all of them, and takes 100 writes."""

_RATE = 500  # calls a second of one item: with an idempotency record a call is written at twice the price
_READS = 5
_REMEMBERED = 1000


def items_needed(plan: str, monthly_limit: int | None) -> int:
    """Return how many items count the calls of an account."""
    return 1 if monthly_limit is not None else min(MOST, math.ceil(PLANS[plan].rate / _RATE))


def item_key(account: str, number: int) -> str:
    """Return the key of an account's item 0, or of a shard."""
    return f"{ACCOUNT}{account}#{number}" if number else ACCOUNT + account


def is_shard(pk: str) -> bool:
    """Return whether a key that begins with ``ACCOUNT#`` is that of a shard."""
    return "#" in pk.removeprefix(ACCOUNT)


def item_count(item: Item) -> int:
    """Return how many items an account has, those included that only hold calls until they are joined."""
    return int(item.get("shards") or item.get("joining") or 1)


def read_items(table: Table, account: str) -> list[Item]:
    """Return the items of an account, its own first: none if it is unknown.

    Calls move between them in transactions that also delete the shards, so items that are all there after
    the first was read, and of the same split, have every call once.
    """
    for _ in range(_READS):
        own = table.get(item_key(account, 0))
        if own is None:
            return []
        shards = [table.get(item_key(account, number)) for number in range(1, item_count(own))]
        if all(shard and shard["split_id"] == own["split_id"] for shard in shards):
            return [own, *filter(None, shards)]
    raise StoreUnavailable("the account changes too quickly")


def calls_of(items: Sequence[Item]) -> dict[str, int]:
    """Return the sums of items' counters of calls, by attribute."""
    sums: Counter[str] = Counter()
    for item in items:
        sums.update({name: count for name, count in item.items() if name.startswith((CALLS, UNCOUNTED))})
    return dict(sums)


class KnownShards:
    """What a process has seen of accounts with shards: how many items they have, and which counted last."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, str]] = {}

    def draw(self, account: str) -> str:
        """Return the key of the item to count in."""
        known = self._known.get(account)
        return item_key(account, randrange(known[0])) if known else ACCOUNT + account  # noqa: S311, spreads load

    def last(self, account: str) -> str:
        """Return the key of the item that counted last."""
        known = self._known.get(account)
        return known[1] if known else ACCOUNT + account

    def note(self, account: str, item: Item) -> None:
        """Note the item that counted; the account's own one says how many there are."""
        known = self._known.get(account)
        if known and is_shard(item["pk"]):
            self._known[account] = known[0], item["pk"]
        elif "shards" in item:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[account] = item["shards"], item["pk"]
        elif known:
            self.forget(account)

    def forget(self, account: str) -> None:
        """Forget an account whose shards are not as they were."""
        self._known.pop(account, None)
