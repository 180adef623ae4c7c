"""The two days of ``days.json``: how fast each provider answers, how often it fails, what it allows."""

import json
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist
from typing import Any

from tests.simulator.companies import DATA
from tests.simulator.replies import FAULTS, Reply, truth

DAYS: dict[str, Any] = json.loads((DATA / "days.json").read_text(encoding="utf-8"))
_P95 = NormalDist().inv_cdf(0.95)


class Day:
    """One provider on one day; call it as a ``Fault``. ``clock``: seconds, for the quota of a minute."""

    def __init__(self, name: str, provider: str, clock: Callable[[], float]) -> None:
        self._shape = DAYS["days"][name][provider]
        self._chance = random.Random(f"{DAYS['seed']} {name} {provider}")
        self._clock = clock
        self._served: deque[float] = deque()
        self.refused = 0

    def __call__(self, provider: str, cnpj: str) -> Reply:
        """The reply to the next call."""
        if not self._within_quota():
            self.refused += 1
            return FAULTS["429"](provider, cnpj)
        pick = self._chance.random()
        for error in self._shape["errors"]:
            pick -= error["share"]
            if pick < 0:
                return _error(error)
        return replace(truth(provider, cnpj), after=self._latency())

    def _within_quota(self) -> bool:
        quota = self._shape.get("quota_per_minute")
        if quota is None:
            return True
        now = self._clock()
        while self._served and self._served[0] <= now - 60:
            self._served.popleft()
        if len(self._served) >= quota:
            return False
        self._served.append(now)
        return True

    def _latency(self) -> float:
        middle: float = self._shape["p50"]
        high: float = self._shape["p95"]
        return middle * math.exp(math.log(high / middle) / _P95 * self._chance.gauss(0, 1))


def _error(error: dict[str, Any]) -> Reply:
    body = FAULTS["challenge"]("", "").body if "body" in error else b"{}"
    return Reply(error["status"], body, error.get("headers", {}), after=error["after"])
