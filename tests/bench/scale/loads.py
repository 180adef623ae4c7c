"""Who calls how, and what the service has against it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.bench.scale.limits import AWS, ours

__all__ = ["LOADS", "TARGET", "Load", "Means"]

TARGET = 10_000


@dataclass(frozen=True)
class Load:
    """Accounts that call by turns, faster and faster for ``ramp`` seconds, then at the target's rate.

    ``asks``: seconds that a source takes, of a look-up that asks one.
    """

    name: str
    accounts: int
    plan: str
    function: str
    ramp: int
    asks: float = 0.0


@dataclass(frozen=True)
class Means:
    """What is as it is by default, unless a remedy has changed it. ``own_keys``: see ``brskills_server.accounts.dedicated_gateway_keys``."""

    own_keys: bool = True
    throttle_group: tuple[float, float] = (0, 0)
    lambda_quota: float = AWS["environments at once, all functions"].value
    slow: int = ours().slow
    shards: int = 1
    stage: tuple[float, float] = (ours().stage_rate, ours().stage_burst)
    table: float = AWS["units written a second, a new table"].value
    own_copy: bool = False


LOADS = {
    "account": (Load("one enterprise account", 1, "enterprise", "pix", ramp=100), Means()),
    "keys": (Load("1,000 new pro accounts", 1_000, "pro", "pix", ramp=100), Means(own_keys=False)),
    "rush": (Load("1,000 pro accounts within a second", 1_000, "pro", "pix", ramp=1), Means()),
    "sources": (Load("look-ups that ask, 1 s each", 1_000, "pro", "cnpj", ramp=100, asks=1.0), Means()),
    "copy": (
        Load("look-ups out of our own copy", 1_000, "pro", "cnpj", ramp=100, asks=1.0),
        Means(own_copy=True),
    ),
}
