"""An account's share of the day's paid look-ups, and attempts of a repeated request, over every store."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.window_limits import PaidShares, RepeatAttempts
from tests.integration.adapters.sql.databases import NOW
from tests.services.tables import THREADS

PLANS = frozenset({"pro"})
DAY = 86_400


def shares(store: AccessStore, per_day: int, now: float = NOW) -> PaidShares:
    return PaidShares(store, PLANS, per_day, lambda: now)


def test_concurrent_calls_take_exactly_the_share(store: AccessStore) -> None:
    instances = [shares(store, 95) for _ in range(4)]
    with ThreadPoolExecutor(THREADS) as pool:
        taken = list(pool.map(lambda n: instances[n % 4].take("acc_1"), range(60)))
    assert taken.count(True) == 10
    assert instances[0].take("acc_2")


def test_the_share_is_renewed_daily(store: AccessStore) -> None:
    assert [shares(store, 20).take("acc_1") for _ in range(3)] == [True, True, False]
    assert shares(store, 20, NOW + DAY).take("acc_1")


def test_the_share_is_a_tenth_of_the_daily_limit_rounded_up(store: AccessStore) -> None:
    for per_day, share in ((0, 0), (1, 1), (10, 1), (11, 2), (100, 10)):
        mine = shares(store, per_day)
        assert (mine.limit, mine.plans) == (share, PLANS if share else frozenset())
    assert not shares(store, 0).take("acc_1")


def test_one_of_many_concurrent_repetitions_is_allowed_a_minute(store: AccessStore) -> None:
    for minute in (0, 1, 7):
        repeats = RepeatAttempts(store, lambda minute=minute: NOW + 60 * minute + 59)
        with ThreadPoolExecutor(THREADS) as pool:
            allowed = list(pool.map(lambda _, one=repeats: one.take_attempt("claim", NOW), range(40)))
        assert allowed.count(True) == 1
    assert RepeatAttempts(store, lambda: NOW).take_attempt("another", NOW)
