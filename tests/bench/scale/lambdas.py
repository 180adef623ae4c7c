"""Lambda's environments in steps of virtual time: how many runs begin, and what keeps the others from it."""

from __future__ import annotations

from collections import defaultdict
from math import ceil

from tests.bench.scale.limits import AWS, START_SECONDS, Bucket

__all__ = ["STEP", "Function", "Pool"]

STEP = 0.02
"""Seconds of a step of the simulation."""


class Pool:
    """Environments that may be busy at once, those of a function or of all that reserve none.

    ``requests``: what AWS lets through in a second, whatever a run takes. The page says so of all functions
    together; here it holds for each pool, as every environment serves so many.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.busy: defaultdict[int, float] = defaultdict(float)
        self.requests = Bucket(most * AWS["requests a second for each of them"].value)


class Function:
    """A function: its environments, once begun, stay for as long as the simulation."""

    def __init__(self, pool: Pool, label: str) -> None:
        self._pool = pool
        self._label = label
        self._there = 0
        self._busy: defaultdict[int, float] = defaultdict(float)
        self._starts = Bucket(
            AWS["environments that it begins a second"].value,
            AWS["environments that a function begins at once"].value,
        )

    def run(self, step: int, wanted: int, seconds: float) -> tuple[int, int, dict[str, int]]:
        """How many runs begin in a warm environment, how many in a new one; who refuses the others."""
        share = min(1.0, seconds / STEP)  # of an environment's step, for each run
        # The quota of requests is looked at first: what it turns away has no need of an environment.
        passed = self._pool.requests.take(step * STEP, wanted)
        free = self._pool.most - self._pool.busy[step]
        warm = min(passed, _fit(min(free, self._there - self._busy[step]), share))
        new = min(passed - warm, max(0, int(free - warm * share + 1e-6)))
        cold = self._starts.take(step * STEP, new)
        self._there += cold
        self.occupy(step, warm, seconds)
        self.occupy(step, cold, START_SECONDS + seconds)
        refused = {
            f"{self._label}: requests": wanted - passed,
            f"{self._label}: at once": passed - warm - new,
            f"{self._label}: starts": new - cold,
        }
        return warm, cold, refused

    def occupy(self, step: int, runs: int, seconds: float) -> None:
        """Keep so many environments busy from a step on."""
        for ahead in range(ceil(seconds / STEP - 1e-6)):
            part = runs * min(1.0, seconds / STEP - ahead)
            self._busy[step + ahead] += part
            self._pool.busy[step + ahead] += part


def _fit(free: float, share: float) -> int:
    return max(0, int(free / share + 1e-6))
