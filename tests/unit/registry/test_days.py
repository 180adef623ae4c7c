"""The simulator's days are the days of ``days.json``."""

import statistics

import pytest

from tests.simulator.clock import VirtualLoop
from tests.simulator.days import DAYS, Day
from tests.simulator.server import PROVIDERS
from tests.unit.registry.conftest import Bench

NUMBER = "11222333000181"


@pytest.mark.parametrize(
    ("day", "provider"),
    [
        (day, name)
        for day, shapes in DAYS["days"].items()
        for name in PROVIDERS
        if shapes[name].get("quota_per_minute") != 0
    ],
)
def test_latencies_and_failures(day: str, provider: str) -> None:
    shape = DAYS["days"][day][provider]
    seconds = iter(range(0, 10**6, 30))
    play = Day(day, provider, lambda: next(seconds))
    replies = [play(provider, NUMBER) for _ in range(5000)]
    times = sorted(reply.after for reply in replies if reply.status == 200)
    assert statistics.median(times) == pytest.approx(shape["p50"], rel=0.1)
    assert times[len(times) * 95 // 100] == pytest.approx(shape["p95"], rel=0.1)
    for error in shape["errors"]:
        failed = [reply for reply in replies if reply.status == error["status"]]
        assert len(failed) / 5000 == pytest.approx(error["share"], abs=0.02)
        assert failed[0].after == error["after"]


def test_the_quota_is_of_any_minute() -> None:
    moments = [0, 30, 59, 59.5, 60, 89, 90, 120]
    clock = iter(moments)
    play = Day("measured", "cnpjws", lambda: next(clock))
    statuses = [play("cnpjws", NUMBER).status for _ in moments]
    assert statuses == [200, 200, 200, 429, 200, 429, 200, 200]
    assert play.refused == 2


def test_a_day_is_the_same_in_every_run() -> None:
    first, second = ([Day("worse", "brasilapi", float)(p, NUMBER) for p in ["brasilapi"] * 50] for _ in "12")
    assert first == second


def test_simulated_time_neither_waits_nor_hangs(bench: Bench) -> None:
    bench.sleep(10**6)
    assert bench.loop.time() == 10**6
    loop = VirtualLoop()
    with pytest.raises(RuntimeError, match="nobody simulates"):
        loop.run_until_complete(loop.create_future())
    loop.close()
