"""A gateway key of its own for each paying account: rounds that bring keys and accounts into agreement.

A round looks at what is there and remembers nothing, so that it may be cut short at any call. A key's life
is one step a round:

    made → (in use everywhere after a quarter of an hour) marked in its account → mark cleared → deleted

The authorizer names the key only while it is marked for the plan that the account has. So a key that is named
is ready, and one that is deleted has not been named since a round before, longer than an answer is cached.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import AccessError
from brskills_server.accounts.gateway_keys import GatewayKey, GatewayKeys
from brskills_server.accounts.plans import PLANS
from brskills_server.accounts.ports import AccountStore

__all__ = ["OwnLanes", "Round"]

READY_SECONDS = 900
"""A new gateway key was reported to take from seconds to tens of minutes until it works."""

MOST_KEYS = 9_000
"""AWS allows 10,000 in an account and region; the shared ones and those of others need room too."""

MOST_A_ROUND = 50
"""Keys made, and keys deleted: API Gateway takes five a second of each."""

_APART_SECONDS = 120  # a schedule may fire twice, and the authorizer's answers are cached for 60

Lane = tuple[str, str]
"""Plan and account."""

Target = TypeVar("Target")


@dataclass(frozen=True, slots=True)
class Round:
    """What a round did, in keys and accounts. ``waiting``: accounts whose key is still to be made."""

    cleared: int = 0
    marked: int = 0
    made: int = 0
    deleted: int = 0
    failed: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class _Due:
    """What is to be done: ``clear`` holds account ids."""

    clear: list[str]
    mark: list[Lane]
    make: list[Lane]
    delete: list[GatewayKey]


class OwnLanes:
    """Rounds over a gateway and a store; to be run by one process at a time."""

    def __init__(
        self, gateway: GatewayKeys, store: AccountStore, clock: Callable[[], float] = time.time
    ) -> None:
        self._gateway = gateway
        self._store = store
        self._clock = clock
        self._began = 0.0

    def run(self) -> Round:
        """One round; nothing where another has just begun.

        Raises ``GatewayUnavailable`` or ``StoreUnavailable`` where keys or accounts cannot be listed. A
        failure after that is counted, leaves its account on a lane that works, and stops nothing else.
        """
        now = self._clock()
        if now - self._began < _APART_SECONDS:
            return Round()
        self._began = now
        keys = {(key.plan, key.account): key for key in self._gateway.list()}
        accounts = [one for one in self._store.list_accounts() if one.own_lane or PLANS[one.plan].is_paid]
        due = _due(keys, accounts, now)
        make = due.make[: min(MOST_A_ROUND, max(0, MOST_KEYS - len(keys)))]
        delete = due.delete[:MOST_A_ROUND]
        cleared = _each(due.clear, lambda account: self._store.set_own_lane(account, ""))
        marked = _each(due.mark, lambda lane: self._store.set_own_lane(lane[1], lane[0]))
        made = _each(make, lambda lane: self._gateway.create(*lane))
        deleted = _each(delete, self._delete)
        tried = len(due.clear) + len(due.mark) + len(make) + len(delete)
        failed = tried - cleared - marked - made - deleted
        return Round(cleared, marked, made, deleted, failed, waiting=len(due.make) - made)

    def _delete(self, key: GatewayKey) -> None:
        account = self._store.read_account(key.account)  # a listing may be older than the last round's marks
        if account is None or account.own_lane != key.plan:
            self._gateway.delete(key.id)


def _due(keys: Mapping[Lane, GatewayKey], accounts: Collection[Account], now: float) -> _Due:
    """What follows from keys and accounts; ``accounts`` are those that pay or are marked."""
    due = _Due([], [], [], [])
    for account in accounts:
        lane = (account.plan, account.id)
        key = keys.get(lane)
        ready = key is not None and key.works and now - key.created_at >= READY_SECONDS
        if account.own_lane:
            if account.own_lane != account.plan or not ready:
                due.clear.append(account.id)
        elif ready:
            due.mark.append(lane)
        elif key is None:
            due.make.append(lane)
    marked = {(account.own_lane, account.id) for account in accounts if account.own_lane}
    wanted = {(account.plan, account.id) for account in accounts if PLANS[account.plan].is_paid}
    # A key that was made but not put into its plan is made anew, so that its age tells of both.
    due.delete.extend(
        key for lane, key in keys.items() if lane not in marked and (lane not in wanted or not key.works)
    )
    return due


def _each(targets: Iterable[Target], step: Callable[[Target], object]) -> int:
    """How many of the targets the step succeeded for."""
    done = 0
    for target in targets:
        try:
            step(target)
        except AccessError:
            continue
        done += 1
    return done
