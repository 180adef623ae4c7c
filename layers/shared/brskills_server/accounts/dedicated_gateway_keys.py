"""A dedicated gateway key for each paying account, kept in agreement by a scheduled job.

A key's life, one step a run: created, marked in its account when it works, mark cleared, deleted. The
authorizer uses it only while it is marked for the account's plan, so a deleted key is not in use.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import AccessError
from brskills_server.accounts.plans import PLANS
from brskills_server.accounts.ports import AccountStore

READY_SECONDS = 900
"""A new gateway key was reported to take from seconds to tens of minutes until it works."""

MOST_KEYS = 9_000
"""AWS allows 10,000 in an account and region; shared ones and those of other stacks need room too."""

MOST_A_ROUND = 50
"""Keys created, and keys deleted, in a run: API Gateway takes five a second of each."""

_APART_SECONDS = 120  # a schedule may fire twice, and the authorizer's answers are cached for 60

Owner = tuple[str, str]
"""Plan and account of a key."""

Target = TypeVar("Target")


@dataclass(frozen=True, slots=True)
class GatewayKey:
    """A key created for an account on a plan, in Unix seconds; it ``works`` once in the plan's usage plan."""

    id: str
    plan: str
    account: str
    created_at: float
    works: bool


class GatewayKeys(Protocol):
    """The gateway's control plane. Every method may raise ``GatewayUnavailable``."""

    def list(self) -> Collection[GatewayKey]:
        """Return every key that :meth:`create` created for this deployment, complete or not."""

    def create(self, plan: str, account: str) -> None:
        """Create an account's key and put it into the plan; a failure may leave it without a plan."""

    def delete(self, key: str) -> None:
        """Delete a key by its id; a missing key is not a failure."""


@dataclass(frozen=True, slots=True)
class Round:
    """Numbers of a run, in keys and accounts. ``waiting``: accounts whose key is still to be created."""

    cleared: int = 0
    marked: int = 0
    made: int = 0
    deleted: int = 0
    failed: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class _Plan:
    """Steps of a run. ``clear``: account ids."""

    clear: list[str] = field(default_factory=list)
    mark: list[Owner] = field(default_factory=list)
    make: list[Owner] = field(default_factory=list)
    delete: list[GatewayKey] = field(default_factory=list)


class DedicatedGatewayKeys:
    """The job over a gateway and a store; at most one process may run it at a time."""

    def __init__(
        self, gateway: GatewayKeys, store: AccountStore, clock: Callable[[], float] = time.time
    ) -> None:
        self._gateway = gateway
        self._store = store
        self._clock = clock
        self._began = 0.0

    def run(self) -> Round:
        """Run once, or do nothing if a run has just begun.

        Raise ``GatewayUnavailable`` or ``StoreUnavailable`` if keys or accounts cannot be listed. A later
        failure is counted, leaves its account on a working key, and stops nothing else.
        """
        now = self._clock()
        if now - self._began < _APART_SECONDS:
            return Round()
        self._began = now
        keys = {(key.plan, key.account): key for key in self._gateway.list()}
        accounts = [
            one for one in self._store.list_accounts() if one.dedicated_gateway_key or PLANS[one.plan].is_paid
        ]
        plan = _plan(keys, accounts, now)
        make = plan.make[: min(MOST_A_ROUND, max(0, MOST_KEYS - len(keys)))]
        delete = plan.delete[:MOST_A_ROUND]
        mark = self._store.set_dedicated_gateway_key
        cleared = _each(plan.clear, lambda account: mark(account, ""))
        marked = _each(plan.mark, lambda owner: mark(owner[1], owner[0]))
        made = _each(make, lambda owner: self._gateway.create(*owner))
        deleted = _each(delete, self._delete)
        tried = len(plan.clear) + len(plan.mark) + len(make) + len(delete)
        failed = tried - cleared - marked - made - deleted
        return Round(cleared, marked, made, deleted, failed, waiting=len(plan.make) - made)

    def _delete(self, key: GatewayKey) -> None:
        account = self._store.read_account(key.account)  # the list may be older than the last run's marks
        if account is None or account.dedicated_gateway_key != key.plan:
            self._gateway.delete(key.id)


def _plan(keys: Mapping[Owner, GatewayKey], accounts: Collection[Account], now: float) -> _Plan:
    """Return the steps that keys and accounts need; ``accounts``: those that pay or are marked."""
    plan = _Plan()
    for account in accounts:
        owner = (account.plan, account.id)
        key = keys.get(owner)
        ready = key is not None and key.works and now - key.created_at >= READY_SECONDS
        if account.dedicated_gateway_key:
            if account.dedicated_gateway_key != account.plan or not ready:
                plan.clear.append(account.id)
        elif ready:
            plan.mark.append(owner)
        elif key is None:
            plan.make.append(owner)
    marked = {(one.dedicated_gateway_key, one.id) for one in accounts if one.dedicated_gateway_key}
    wanted = {(account.plan, account.id) for account in accounts if PLANS[account.plan].is_paid}
    # A key that was created but not put into its plan is created anew, so that its age covers both.
    plan.delete.extend(
        key for owner, key in keys.items() if owner not in marked and (owner not in wanted or not key.works)
    )
    return plan


def _each(targets: Iterable[Target], step: Callable[[Target], object]) -> int:
    """Return for how many targets the step succeeded."""
    done = 0
    for target in targets:
        try:
            step(target)
        except AccessError:
            continue
        done += 1
    return done
