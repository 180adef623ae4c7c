"""One run of the service under a load, in steps of virtual time: who refuses how many calls, and when first.

A call passes the authorizer (whose answers are kept by key), its throttle group, the stage, the gateway's quota and
Lambda, and is counted by a write. AWS has the three in this order ("Throttle requests to your REST APIs …");
the authorizer comes before, since it names the throttle group. A throttled write is sent again as the adapter does it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from brskills_server.accounts.account import Account
from brskills_server.accounts.plans import PLANS
from brskills_server.accounts.throttle_groups import throttle_group_of
from brskills_server.adapters.dynamodb.table import _PAUSES
from tests.bench.scale.lambdas import STEP, Function, Pool
from tests.bench.scale.limits import AWS, START_SECONDS, Bucket, ours
from tests.bench.scale.loads import TARGET, Load, Means
from tests.bench.scale.sources import Sources

__all__ = ["Service"]

HELD_SECONDS, LAST_SECONDS = 20, 5


class Service:
    """``refused``: calls, by whom. ``missed``: requests of look-ups to the store that cost no call."""

    def __init__(self, load: Load, means: Means) -> None:
        self.refused: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        self.first: dict[str, tuple[float, float]] = {}  # calls a second, and the second
        self.served = 0.0
        self._load = load
        self._asks = 0.0 if means.own_copy else load.asks
        self._seconds = ours().seconds[load.function]
        reserved = ours().reserving * means.slow + (ours().reserved_beside if means.slow else 0)
        rest = Pool(int(means.lambda_quota) - reserved)
        slow = load.function != "pix" and means.slow
        self._authorizer = Function(rest, "Lambda, authorizer")
        self._function = Function(Pool(means.slow) if slow else rest, f"Lambda, {load.function}")
        self._known = [-math.inf] * load.accounts  # until when the authorizer's answer is kept
        self._all_known = -math.inf
        self._turns = [*range(load.accounts)] * (TARGET // load.accounts + 2)
        self._allowed: defaultdict[int, list[int]] = defaultdict(list)
        plan, names = PLANS[load.plan], [f"acc_{n:016x}" for n in range(load.accounts)]
        rate, burst = means.throttle_group if means.throttle_group[0] else (plan.rate, plan.burst)
        self._group_of = [throttle_group_of(Account(one, load.plan, None, {}), 0.0) for one in names]
        self._groups = {name: Bucket(rate, burst) for name in self._group_of}
        if means.own_keys:  # all accounts call alike, so what one may, all may together; so it is with items
            self._groups = {"": Bucket(rate * load.accounts, burst * load.accounts)}
        self._stage = Bucket(*means.stage)
        self._gateway = Bucket(AWS["requests a second, all APIs"].value, AWS["burst of all APIs"].value)
        self._items = Bucket(AWS["units written a second, an item"].value * load.accounts * means.shards)
        self._table = Bucket(min(means.table, AWS["units a second, any table"].value))
        self._again: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._sources = Sources(load.asks)

    def run(self) -> Service:
        """All of it."""
        steps, due, turn = round((self._load.ramp + HELD_SECONDS) / STEP), 0.0, 0
        for step in range(steps):
            due += self._rate(step * STEP) * STEP
            calls = int(due + 1e-6)
            due -= calls
            served = self._step(step, self._turns[turn : turn + calls])
            turn = (turn + calls) % self._load.accounts
            if step >= steps - LAST_SECONDS / STEP:
                self.served += served / LAST_SECONDS
        return self

    def _rate(self, now: float) -> float:
        return TARGET * min(1.0, now / self._load.ramp)

    def _step(self, step: int, callers: list[int]) -> int:
        now = step * STEP
        known = self._identified(step, callers)
        groups = Counter(self._group_of[one] for one in known) if len(self._groups) > 1 else {"": len(known)}
        calls = sum(self._groups[group].take(now, count) for group, count in groups.items())
        self._refuse(now, "throttle group", len(known) - calls)
        for name, bucket in (("stage", self._stage), ("gateway", self._gateway)):
            through = bucket.take(now, calls)
            self._refuse(now, name, calls - through)
            calls = through
        warm, cold, refused = self._function.run(step, calls, self._seconds + self._asks)
        for name, count in refused.items():
            self._refuse(now, name, count)
        if self._asks:
            for name, count in self._sources.ask(step, warm + cold).items():
                self._note(now, self.missed, name, count)
        return self._count(step, warm + cold)

    def _identified(self, step: int, callers: list[int]) -> list[int]:
        """Who goes on: those whose answer is kept, and those who are answered now. Others are asked for."""
        now, seconds = step * STEP, ours().seconds["authorizer"]
        there = self._allowed.pop(step, [])
        for one in there:
            self._known[one] = now + ours().reauthorize
        if there:
            self._all_known = min(self._known)
        unknown = [one for one in callers if self._known[one] <= now] if self._all_known <= now else []
        if not unknown:
            return there + callers
        warm, cold, refused = self._authorizer.run(step, len(unknown), seconds)
        for name, count in refused.items():
            self._refuse(now, name, count)
        self._allowed[step + 1] += unknown[:warm]
        self._allowed[step + round((START_SECONDS + seconds) / STEP)] += unknown[warm : warm + cold]
        return there + [one for one in callers if self._known[one] > now]

    def _count(self, step: int, fresh: int) -> int:
        """Write what is to be counted; what was throttled comes again, and its environments wait for it."""
        counted = 0
        for calls, tried in [*self._again.pop(step, []), (fresh, 0)]:
            items = self._items.take(step * STEP, calls)
            written = self._table.take(step * STEP, items)
            counted += written
            for name, left in (("item", calls - items), ("table", items - written)):
                if left:
                    self.first.setdefault(name, (self._rate(step * STEP), step * STEP))
                if left and tried < len(_PAUSES):
                    ahead = round(_PAUSES[tried] / STEP)
                    self._again[step + ahead].append((left, tried + 1))
                    self._function.occupy(step + 1, left, ahead * STEP)
                else:
                    self._refuse(step * STEP, name, left)
        return counted

    def _refuse(self, now: float, name: str, calls: int) -> None:
        self._note(now, self.refused, name, calls)

    def _note(self, now: float, counts: Counter[str], name: str, more: int) -> None:
        if more > 0:
            counts[name] += more
            self.first.setdefault(name, (self._rate(now), now))
