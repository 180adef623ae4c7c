"""The way of a load to the target: what gives way first is remedied, until nothing does or nothing helps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from tests.bench.scale.limits import AWS
from tests.bench.scale.loads import TARGET, Load, Means
from tests.bench.scale.service import Service

__all__ = ["Stage", "way"]

_GATEWAY_BURST = AWS["burst of all APIs"].value


class Stage(NamedTuple):
    """A run with the ``remedy`` and all before it; ``gives``: who refused first."""

    remedy: str
    gives: str
    run: Service


def _throttle_groups(means: Means, load: Load) -> tuple[str, Means]:
    if means.own_keys:
        return "10,000/s in its throttle group", replace(means, throttle_group=(TARGET, TARGET))
    return "keys of their own", replace(means, own_keys=True)


def _quota(means: Means, load: Load) -> tuple[str, Means]:
    if not load.asks or means.own_copy:
        return "3,000 environments", replace(means, lambda_quota=3_000)
    return "12,000 environments, none reserved", replace(means, lambda_quota=12_000, slow=0)


def _unreserved(means: Means, load: Load) -> tuple[str, Means]:
    if load.asks and not means.own_copy:
        return _quota(means, load)
    return "none reserved", replace(means, slow=0)


def _shards(means: Means, _load: Load) -> tuple[str, Means]:
    return "16 shards", replace(means, shards=16)


def _stage(means: Means, _load: Load) -> tuple[str, Means]:
    return "10,000/s for the stage", replace(means, stage=(TARGET, _GATEWAY_BURST))


def _table(means: Means, _load: Load) -> tuple[str, Means]:
    return "12,000 warm writes", replace(means, table=12_000)


REMEDIES: dict[str, Callable[[Means, Load], tuple[str, Means]]] = {
    "throttle group": _throttle_groups,
    "item": _shards,
    "stage": _stage,
    "table": _table,
    "Lambda, authorizer": _quota,
    "Lambda, pix": _quota,
    "Lambda, cnpj": _unreserved,
}


def way(load: Load, means: Means) -> Iterator[Stage]:
    """Each run, beginning with the service as it is."""
    remedy = "as it is"
    while True:
        run = Service(load, means).run()
        order = sorted(run.refused, key=lambda name: run.first[name][1])
        yield Stage(remedy, order[0] if order else "", run)
        before = means
        for name in order:  # the first that has a remedy which was not taken yet
            limit = name.partition(":")[0]
            if limit in REMEDIES and not name.endswith("starts"):
                remedy, means = REMEDIES[limit](means, load)
            if means != before:
                break
        else:
            return
