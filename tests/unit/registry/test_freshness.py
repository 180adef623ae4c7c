"""Limits on the age of the data, over simulated providers.

The simulated day is 18 November 2026. CNPJá's and ReceitaWS's records are of these days, CNPJ.ws' 41 days
old, Minha Receita's dump 8 days, OpenCNPJ's 64, and the snapshot 67; BrasilAPI passes on Minha
Receita's, whose day it does not say.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.cache.answer_cache import AnswerCache
from brskills_server.registry.cache.entries import StoredAbsence
from brskills_server.registry.dates import start_of_day
from brskills_server.registry.query import Freshness
from tests.simulator.clock import EPOCH
from tests.simulator.memory import MemoryStore
from tests.simulator.server import DATES
from tests.unit.registry.conftest import ALL, COMPANY, DAY, NOBODY, OTHER, Bench, slow


@given(st.integers(EPOCH, EPOCH + 40 * DAY), st.integers(-5, 50), st.integers(0, 50))
def test_days_are_counted_in_brazil(now: int, age: int, most: int) -> None:
    today = datetime.fromtimestamp(now, ZoneInfo("America/Sao_Paulo")).date()
    allowed = Freshness(max_data_age=most).allows_data_of(today - timedelta(days=age), now)
    assert allowed == (-1 <= age <= most)


def test_an_unknown_day_is_never_fresh_enough() -> None:
    assert not Freshness(max_data_age=10**9).allows_data_of(None, EPOCH)
    assert Freshness(max_age=0).allows_data_of(None, EPOCH)
    assert Freshness().allows_data_of(date.min, EPOCH)


def test_a_paid_answer_with_old_data_spares_another_while_it_is_fresh_and_the_day_lasts() -> None:
    midnight = start_of_day(EPOCH) + DAY
    for paid_at, now, in_vain in (
        (EPOCH, EPOCH - 1, False),
        (EPOCH, EPOCH, True),
        (EPOCH, EPOCH + 600, True),
        (EPOCH, EPOCH + 601, False),
        (midnight - 1, midnight, False),
    ):
        stored = StoredAbsence(False, "2026-09-01", EPOCH, paid_at)
        cache = AnswerCache(MemoryStore(), 60, lambda now=now: now)
        assert cache.paid_in_vain(stored, Freshness(max_data_age=30)) == in_vain
        assert not cache.paid_in_vain(stored, Freshness())


@pytest.mark.parametrize(
    ("cnpj", "names", "refused", "days", "outcome", "asked"),
    [
        (COMPANY, ALL, [], None, "opencnpj", ["opencnpj"]),
        # Providers that are no monthly dump come first.
        (COMPANY, ALL, [], 30, "cnpja", ["cnpja"]),
        # A dump of an unknown day is asked for its day, one of a known old day or without a day is not asked.
        (
            COMPANY,
            ALL,
            ["cnpja", "receitaws"],
            30,
            "unavailable",
            ["cnpja", "receitaws", "opencnpj", "cnpjws"],
        ),
        (COMPANY, ["brasilapi"], [], 10**9, "unavailable", []),
        (
            COMPANY,
            ["brasilapi", "opencnpj", "minhareceita"],
            [],
            8,
            "minhareceita",
            ["opencnpj", "minhareceita"],
        ),
        (
            COMPANY,
            ["cnpjws", "opencnpj", "minhareceita"],
            [],
            10,
            "minhareceita",
            ["cnpjws", "opencnpj", "minhareceita"],
        ),
        # Absences: confirmed, in recent data, in old data.
        (NOBODY, ALL, [], 0, "absent", ["cnpja", "receitaws"]),
        (NOBODY, ["minhareceita"], [], 8, "missing", ["minhareceita"]),
        (NOBODY, ["minhareceita"], [], 7, "unavailable", ["minhareceita"]),
        # The snapshot, first or later.
        (COMPANY, ["receita", *ALL], [], 67, "receita", []),
        (COMPANY, ["receita", *ALL], [], 66, "cnpja", ["cnpja"]),
        (COMPANY, ["receita", "cnpja"], ["cnpja"], 66, "unavailable", ["cnpja"]),
        (NOBODY, ["receita", "cnpja"], ["cnpja"], 67, "missing", ["cnpja"]),
        (NOBODY, ["receita", "cnpja"], ["cnpja"], 66, "unavailable", ["cnpja"]),
        (COMPANY, ["cnpja", "receita"], ["cnpja"], 67, "receita", ["cnpja"]),
        (COMPANY, ["cnpja", "receita"], ["cnpja"], 66, "unavailable", ["cnpja"]),
        # The sandbox is of 15 October.
        ("SANDBOX1000170", ALL, [], 34, "sandbox", []),
        ("SANDBOX1000170", ALL, [], 33, "unavailable", []),
        ("SANDBOX4000103", ALL, [], 0, "absent", []),
    ],
)
def test_which_data_is_fresh_enough(bench, cnpj, names, refused, days, outcome, asked) -> None:
    bench.refuse(*refused)
    registry = bench.instance(*names)
    assert bench.outcome(cnpj, registry, max_data_age=days) == outcome
    assert bench.sources() == asked
    assert bench.loop.time() == 0
    if outcome not in {"unavailable", "receita"}:  # what is stored is judged likewise
        assert bench.outcome(cnpj, registry, max_data_age=days) == outcome
        assert bench.sources() == asked


class TestProviders:
    def test_an_absence_at_a_provider_that_is_no_dump_serves_the_moment(self, bench: Bench) -> None:
        registry = bench.instance("cnpja")
        assert [bench.outcome(NOBODY, registry, max_data_age=0) for _ in range(2)] == ["missing"] * 2
        assert bench.sources() == ["cnpja", "cnpja"]

    def test_a_dump_of_a_known_old_day_is_left_out(self, bench: Bench) -> None:
        bench.look_up(OTHER)  # gets the day
        bench.refuse("cnpja", "receitaws")
        assert bench.outcome(COMPANY, max_data_age=30) == "unavailable"
        assert bench.sources() == ["opencnpj", "cnpja", "receitaws", "cnpjws"]

    def test_the_day_of_brasilapi_is_that_of_minha_receita_and_nobody_waits_for_it(
        self, bench: Bench
    ) -> None:
        registry = bench.instance("brasilapi")
        bench.providers.play("brasilapi", slow(1))
        assert str(bench.look_up(COMPANY, registry).record.data_base) == "2026-11-10"
        asked = [(name, path) for name, path, _ in bench.providers.calls if path in DATES]
        assert asked == [("minhareceita", "/updated")]
        bench.look_up(OTHER, registry)
        assert [path for _, path, _ in bench.providers.calls].count("/updated") == 1

    def test_data_grows_older_day_by_day(self, bench: Bench) -> None:
        registry = bench.instance("minhareceita")
        assert bench.look_up(COMPANY, registry, max_data_age=8)
        bench.sleep(DAY)
        assert bench.outcome(COMPANY, registry, max_data_age=8) == "unavailable"
        assert bench.look_up(COMPANY, registry, max_data_age=9).age == DAY

    def test_what_is_too_old_is_a_success_of_its_provider(self, bench: Bench) -> None:
        registry = bench.instance("cnpjws")
        for n in range(7):
            bench.unavailable(f"1122233300{n:04}", registry, max_data_age=1)
            bench.sleep(30)
        assert bench.providers.asked("cnpjws") == 7
        (health,) = bench.health(registry)
        assert (health.breaker, health.last_success is None) == ("closed", False)


class TestFailureOrNot:
    """An exception for a limit that no data meets is not a failure: any caller can have one at will."""

    @pytest.mark.parametrize(
        ("names", "refused", "cnpj", "days", "expected"),
        [
            (["cnpjws", "opencnpj"], [], COMPANY, 1, True),
            (["receita"], [], COMPANY, 1, True),
            (["opencnpj"], [], NOBODY, 1, True),
            (["brasilapi"], [], COMPANY, 1, True),  # no source is worth asking
            (["cnpja", "cnpjws"], ["cnpja"], COMPANY, 1, False),
            (["cnpja"], ["cnpja"], COMPANY, 1, False),  # in the end by an open breaker
            (ALL, ALL, COMPANY, None, False),
        ],
    )
    def test_nothing_failed(self, bench, names, refused, cnpj, days, expected) -> None:
        bench.refuse(*refused)
        registry = bench.instance(*names)
        for _ in range(7):
            error = bench.unavailable(cnpj, registry, max_age=0, max_data_age=days)
            assert error.nothing_failed is expected

    @pytest.mark.parametrize(
        ("names", "refused", "lasting"),
        [
            (["receita"], [], True),
            (["opencnpj", "minhareceita"], [], True),  # first asked for their days, then left out
            (["opencnpj", "cnpja"], ["cnpja"], False),
            (["receita", "opencnpj"], ["opencnpj"], False),
            (["brasilapi"], [], False),  # of a day that is not known yet
        ],
    )
    def test_asking_again_the_same_day_helps_unless_all_are_older_dumps(
        self, bench, names, refused, lasting
    ) -> None:
        bench.refuse(*refused)
        registry = bench.instance(*names)
        for days in (1, 1, 0):
            error = bench.unavailable(COMPANY, registry, max_age=0, max_data_age=days)
            assert (error.lasting, error.retry_after == DAY) == (lasting, lasting)

    def test_a_provider_with_an_open_breaker_is_a_failure(self, bench: Bench) -> None:
        bench.refuse("cnpja", fault="429-retry-after")
        for _ in range(2):
            registry = bench.instance("cnpja", "cnpjws")
            assert not bench.unavailable(COMPANY, registry, max_data_age=1).nothing_failed
        assert bench.observed[-2:] == [("cnpja", "skipped"), ("cnpjws", "found")]

    @pytest.mark.parametrize("names", [("cnpjws", "receita"), ("cnpjws",), ("receita", "cnpjws")])
    def test_one_whose_calls_of_a_minute_are_used_up_is_none(self, bench, names) -> None:
        bench.snapshot.is_there = names[-1] == "receita"
        for _ in range(7):
            assert bench.unavailable(COMPANY, bench.instance(*names), max_data_age=1).nothing_failed
        assert ("cnpjws", "skipped") in bench.observed

    def test_a_silent_provider_beside_a_denial_is_a_failure(self, bench: Bench) -> None:
        bench.refuse("minhareceita", fault="silent")
        registry = bench.instance("opencnpj", "minhareceita")
        assert not bench.unavailable(NOBODY, registry, max_data_age=10).nothing_failed


class TestStored:
    def test_a_fresh_record_with_old_data_does_not_serve(self, bench: Bench) -> None:
        demands: list[int | None] = [None, 64, 63, None]
        found = [bench.outcome(COMPANY, max_data_age=days) for days in demands]
        assert found == ["opencnpj", "opencnpj", "cnpja", "cnpja"]
        assert bench.sources() == ["opencnpj", "cnpja"]

    def test_nor_a_stale_one(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        bench.sleep(2 * DAY)
        bench.refuse(*ALL)
        assert bench.outcome(COMPANY, max_data_age=65) == "unavailable"
        assert bench.look_up(COMPANY, max_data_age=66).stale

    def test_both_limits_apply(self, bench: Bench) -> None:
        bench.look_up(COMPANY, max_data_age=1)
        bench.sleep(100)
        assert bench.look_up(COMPANY, max_age=100, max_data_age=1).age == 100
        bench.refuse(*ALL)
        for demands in ({"max_age": 99, "max_data_age": 1}, {"max_age": 0, "max_data_age": 10**9}):
            assert bench.outcome(COMPANY, **demands) == "unavailable"
        bench.sleep(3 * DAY)
        assert bench.outcome(COMPANY, max_age=10 * DAY, max_data_age=1) == "unavailable"
        assert bench.look_up(COMPANY, max_age=10 * DAY, max_data_age=2).stale

    def test_what_was_too_old_is_kept_for_others(self, bench: Bench) -> None:
        bench.refuse("cnpja", "receitaws")
        bench.unavailable(COMPANY, max_data_age=1)
        bench.unavailable(NOBODY, max_data_age=30)
        asked = bench.providers.asked()
        answer = bench.look_up(COMPANY)
        assert (answer.record.fonte, answer.live) == ("cnpjws", False)  # the newest of two
        assert bench.outcome(NOBODY) == "missing"
        assert bench.providers.asked() == asked

    def test_but_not_in_place_of_newer_data(self, bench: Bench) -> None:
        bench.look_up(COMPANY, max_data_age=1)
        bench.sleep(5 * DAY)
        bench.refuse("cnpja", "receitaws")
        bench.unavailable(COMPANY, max_data_age=1)
        assert bench.outcome(COMPANY, max_age=6 * DAY, max_data_age=6) == "cnpja"

    def test_it_renews_an_older_one(self, bench: Bench) -> None:
        bench.look_up(COMPANY)
        bench.sleep(2 * DAY)
        registry = bench.instance("opencnpj")
        del bench.store.shared["base:opencnpj"]  # unknown, so it is requested
        bench.unavailable(COMPANY, registry, max_data_age=1)
        assert bench.look_up(COMPANY, registry).age == 0

    @pytest.mark.parametrize("faults", ["500", "false-404"])
    def test_an_old_record_of_the_snapshot_is_not_stored_and_contradicts_an_absence(
        self, bench: Bench, faults: str
    ) -> None:
        bench.refuse(*ALL, fault=faults)
        assert bench.outcome(COMPANY, bench.instance("receita", *ALL), max_data_age=66) == "unavailable"
        assert bench.store.entries == {}
