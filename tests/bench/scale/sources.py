"""What look-ups that ask sources want of the Companies table. They are answered even where it fails."""

from __future__ import annotations

import math
from collections import defaultdict

from brskills_server.registry.health.evidence import _SUCCESS_SECONDS
from tests.bench.scale.lambdas import STEP
from tests.bench.scale.limits import AWS, Bucket

__all__ = ["Sources"]


class Sources:
    """The item ``SOURCES``, which each reads, and a new table, out of which and into which answers go.

    An environment has one look-up at a time, so what it knows is as old as that. ``seconds``: what it takes.
    """

    def __init__(self, seconds: float) -> None:
        self._steps = round(seconds / STEP)
        self._item_reads = Bucket(AWS["units read a second, an item"].value)
        self._item_writes = Bucket(AWS["units written a second, an item"].value)
        self._reads = Bucket(AWS["units read a second, a new table"].value)
        self._writes = Bucket(AWS["units written a second, a new table"].value)
        self._seen = -math.inf  # the last success that all know of
        self._under_way: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)

    def ask(self, step: int, begun: int) -> dict[str, int]:
        """So many look-ups begin; how many requests to the store fail in this step."""
        now = step * STEP
        known = self._item_reads.take(now, begun)
        failed = {
            "the item read": begun - known,
            "the item written": 0,
            "the table read": begun + known - self._reads.take(now, begun + known),
            "the table written": 0,
        }
        self._under_way[step + self._steps].append((begun, self._seen))
        for ended, seen in self._under_way.pop(step, []):
            failed["the table written"] += ended - self._writes.take(now, ended)
            if (
                now - seen >= _SUCCESS_SECONDS
            ):  # each that began before the first of them told it tells it again
                written = self._item_writes.take(now, ended)
                self._seen = now if written else self._seen
                failed["the item written"] += ended - written
        return failed
