"""Numbers with rejected records cost only their own caller an answer."""

from __future__ import annotations

import asyncio
from itertools import count, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.errors import SourcesUnavailable
from brskills_server.registry.health.recent import RECENT_SECONDS, Recent
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.lookup.single_flight import SingleFlight
from brskills_server.registry.providers.provider import CONTROL_CNPJ
from tests.simulator.look_up import look_up
from tests.simulator.paid import TOKENS, paid_truth
from tests.simulator.replies import FAULTS, Reply, truth
from tests.simulator.transport import refused
from tests.unit.registry.conftest import ALL, Bench, number, slow

REFUSED = [f"9{n:011}00" for n in range(10)]
NUMBERS = count(1)
KINDS = ["empty-name", "500", "html-404", "garbage-200", "other-company", "closed", "challenge", "silent"]


def refuse(bench: Bench, fault: str = "empty-name", providers: tuple[str, ...] = ALL) -> None:
    """Let providers have no usable answer to the refused numbers, and the truth to all others."""

    def reply(provider: str, cnpj: str) -> Reply:
        return FAULTS[fault](provider, cnpj) if cnpj in REFUSED else truth(provider, cnpj)

    for provider in providers:
        bench.providers.play(provider, reply)


def attack(
    bench: Bench, numbers: list[str], instance: ProviderLookup | None = None
) -> list[SourcesUnavailable]:
    """Ask for each of the numbers at its sources; return the exceptions."""
    return [bench.unavailable(cnpj, instance, max_age=0) for cnpj in numbers]


def another() -> str:
    return number(next(NUMBERS))


def asked_for(bench: Bench, cnpj: str, provider: str = "opencnpj") -> int:
    return sum(name == provider and cnpj in path for name, path, _ in bench.providers.calls)


def breakers(bench: Bench) -> set[str]:
    return {one.breaker for one in bench.health()}


@pytest.mark.parametrize("fault", KINDS)
def test_one_number_opens_no_breaker(bench: Bench, fault: str) -> None:
    refuse(bench, fault)
    for _ in range(10):
        attack(bench, REFUSED[:1])
        assert bench.outcome(another()) == "opencnpj"
        bench.sleep(7)
    assert breakers(bench) == {"closed"}


@pytest.mark.parametrize("fault", ["empty-name", "500"])
def test_nor_do_ten_without_other_calls_between(bench: Bench, fault: str) -> None:
    refuse(bench, fault)
    for _ in range(4):
        attack(bench, REFUSED)
        bench.sleep(7)
        assert breakers(bench) == {"closed"}
    assert bench.outcome(another()) == "opencnpj"
    if fault == "empty-name":  # the control has passed; now nothing is answered
        bench.providers.play("opencnpj", "wrong-types")
        bench.sleep(10)
        for _ in range(5):
            bench.look_up(another())
        assert bench.health()[0].state == "down"


def test_a_rejected_number_is_requested_once_a_minute_and_the_control_every_ten_seconds(bench: Bench) -> None:
    refuse(bench)
    while bench.loop.time() < 130:
        attack(bench, REFUSED)
        bench.sleep(3)
    for provider in ALL:
        for cnpj, seconds in [*((cnpj, 60) for cnpj in REFUSED), (CONTROL_CNPJ, 10)]:
            calls = [t for name, path, t in bench.providers.calls if name == provider and cnpj in path]
            assert all(later - time >= seconds for time, later in pairwise(calls))
    assert asked_for(bench, REFUSED[0]) == 3


def test_a_number_that_was_rejected_waits_for_a_minute(bench: Bench) -> None:
    refuse(bench)
    first = bench.instance("opencnpj", "brasilapi")
    (error,) = attack(bench, REFUSED[:1], first)
    assert (error.retry_after, error.repeated) == (60, False)
    bench.sleep(18)
    (error,) = attack(bench, REFUSED[:1], first)
    assert (error.retry_after, error.repeated) == (42, True)
    assert asked_for(bench, REFUSED[0]) == asked_for(bench, REFUSED[0], "brasilapi") == 1
    bench.sleep(42)
    (error,) = attack(bench, REFUSED[:1], first)
    assert (error.retry_after, error.repeated) == (60, False)
    assert asked_for(bench, REFUSED[0]) == 2


def test_a_number_that_is_not_taken_waits_too_and_raises_no_doubt(bench: Bench) -> None:
    bench.refuse(*ALL, fault=Reply(400, b'{"error": "invalid cnpj"}'))
    for _ in range(6):
        attack(bench, REFUSED)
        bench.sleep(1)
    assert asked_for(bench, REFUSED[0]) == 1
    assert asked_for(bench, CONTROL_CNPJ) == 0


def test_another_source_answers_for_the_one_that_rejected_it(bench: Bench) -> None:
    refuse(bench, providers=("opencnpj",))
    for _ in range(5):
        assert bench.outcome(REFUSED[0], max_age=0) == "brasilapi"
        bench.sleep(1)
    assert asked_for(bench, REFUSED[0]) == 1


def test_a_trial_that_a_refused_number_makes_is_decided_by_the_control(bench: Bench) -> None:
    bench.providers.play("opencnpj", refused)
    for _ in range(5):
        bench.look_up(another())
    refuse(bench)
    bench.sleep(11)
    attack(bench, REFUSED[:1])
    assert bench.store.shared["open:opencnpj"] == 0
    assert bench.outcome(another()) == "opencnpj"


def test_a_trial_that_is_cut_short_leaves_it_to_the_next(bench: Bench) -> None:
    """The one that makes it is answered meanwhile by a provider that was asked before."""
    bench.store.shared["open:minhareceita"] = int(bench.loop.clock()) - 1
    bench.providers.play("opencnpj", slow(0.65))
    bench.providers.play("brasilapi", slow(0.5))
    bench.look_up(another())
    assert bench.providers.cancelled == ["brasilapi"]
    bench.providers.play("opencnpj", "500")
    bench.providers.play("brasilapi", "truth")
    assert bench.outcome(another()) == "brasilapi"


@pytest.mark.parametrize("fault", [*KINDS, "503-after-10s"])
def test_a_provider_without_any_usable_answer_is_found_out(bench: Bench, fault: str) -> None:
    bench.providers.play("opencnpj", fault)
    for _ in range(5):
        bench.look_up(another())
    assert [one.state for one in bench.health()][:2] == ["down", "operational"]
    bench.sleep(11)
    bench.look_up(another())  # the trial
    assert bench.health()[0].breaker == "open"


def test_what_it_rejected_before_it_was_found_out_is_forgotten(bench: Bench) -> None:
    first = bench.instance("opencnpj")
    numbers = [another() for _ in range(6)]
    bench.providers.play("opencnpj", "silent")
    attack(bench, numbers, first)
    bench.providers.play("opencnpj", "truth")
    bench.sleep(11)
    assert {bench.outcome(cnpj, first) for cnpj in numbers} == {"opencnpj"}


@pytest.mark.parametrize("fault", [*KINDS, "503-after-10s"])
def test_after_a_rejected_number_nothing_is_known_until_another_is_answered(bench: Bench, fault: str) -> None:
    bench.look_up(another())
    refuse(bench, fault)
    attack(bench, REFUSED[:1])
    for instance in (bench.first, bench.instance()):
        assert {one.state for one in bench.health(instance)} == {"unknown"}
    bench.sleep(11)
    bench.look_up(another())
    for instance in (bench.first, bench.instance()):
        assert [one.state for one in bench.health(instance)][:2] == ["operational", "unknown"]


def test_nor_of_a_source_whose_last_answers_others_had_to_replace(bench: Bench) -> None:
    for fault in ("truth", "500", "500", "silent"):
        bench.providers.play("opencnpj", fault)
        bench.look_up(another())
    assert [one.state for one in bench.health()][:2] == ["unknown", "operational"]


def test_probes_are_controls(bench: Bench) -> None:
    bench.providers.play("opencnpj", "empty-name")
    bench.loop.run_until_complete(bench.first.probe())
    assert [one.state for one in bench.health()][:2] == ["down", "operational"]


class TestPaid:
    def instance(self, bench: Bench) -> ProviderLookup:
        def reply(provider: str, cnpj: str) -> Reply:
            if cnpj in REFUSED:
                return FAULTS["empty-name"](provider, cnpj)
            return paid_truth("", {"authorization": TOKENS["cnpja"]})(provider, cnpj)

        bench.providers.play("cnpja:paid", reply)
        refuse(bench)
        return bench.instance("cnpja", "receitaws", tokens={"cnpja": TOKENS["cnpja"]}, paid_per_day=100)

    def test_no_control_is_paid_for_and_no_number_opens_it(self, bench: Bench) -> None:
        registry = self.instance(bench)
        for cnpj in REFUSED:
            bench.outcome(cnpj, registry, max_data_age=7)
            bench.sleep(70)
        assert asked_for(bench, CONTROL_CNPJ, "cnpja:paid") == 0
        assert "open:cnpja:paid" not in bench.store.shared

    def test_a_trial_that_is_answered_at_all_closes_it(self, bench: Bench) -> None:
        registry = self.instance(bench)
        bench.store.shared["open:cnpja:paid"] = int(bench.loop.clock()) - 1
        bench.outcome(REFUSED[0], registry, max_data_age=7)
        assert bench.store.shared["open:cnpja:paid"] == 0


class TestTogether:
    """Equal look-ups that are under way at the same moment."""

    def ask(self, bench: Bench, cnpj: str, *demands: Any) -> list[Any]:
        async def all_of_them() -> list[Any]:
            asked = (look_up(bench.first, cnpj, **demand) for demand in demands)
            return await asyncio.gather(*asked, return_exceptions=True)

        return bench.loop.run_until_complete(all_of_them())

    def test_ask_once_and_all_get_the_answer(self, bench: Bench) -> None:
        for provider in ALL:
            bench.providers.play(provider, slow(0.3))
        answers = self.ask(bench, another(), *[{"max_age": 0}] * 10, *[{}] * 10, {"max_age": 60})
        assert bench.providers.asked() == 1
        assert len({answer.json() for answer in answers}) == 1

    def test_share_an_error_as_well_and_each_raises_its_own(self, bench: Bench) -> None:
        refuse(bench)
        errors = self.ask(bench, REFUSED[0], *[{"max_age": 0}] * 20)
        assert asked_for(bench, REFUSED[0]) == 1
        assert [type(error) for error in errors] == [SourcesUnavailable] * 20
        assert len(set(map(id, errors))) == 20
        assert [error.repeated for error in errors].count(False) == 1

    def test_an_older_record_answers_only_callers_that_allow_it(self, bench: Bench) -> None:
        cnpj = another()
        bench.look_up(cnpj)
        bench.sleep(100_000)
        bench.refuse(*ALL)
        stale, fresh = self.ask(bench, cnpj, {}, {"max_age": 60})
        assert stale.stale
        assert isinstance(fresh, SourcesUnavailable)
        assert asked_for(bench, cnpj) == 2

    def test_other_limits_on_the_data_are_separate_calls(self, bench: Bench) -> None:
        for provider in ALL:
            bench.providers.play(provider, slow(0.3))
        cnpj = another()
        self.ask(bench, cnpj, {}, {"max_data_age": 400}, {"max_data_age": 400}, {"max_data_age": 30})
        assert asked_for(bench, cnpj) == 1
        assert asked_for(bench, cnpj, "cnpja") == 2  # a dump is not asked first for recent data

    def test_a_caller_after_the_answer_is_a_new_call(self, bench: Bench) -> None:
        bench.loop.worker_seconds = 0.2  # the answer is being stored
        cnpj = another()

        async def story() -> None:
            first = asyncio.ensure_future(look_up(bench.first, cnpj, max_age=0))
            await asyncio.sleep(0.5)
            assert asked_for(bench, cnpj) == 1
            assert not first.done()
            await asyncio.gather(first, look_up(bench.first, cnpj, max_age=0))

        bench.loop.run_until_complete(story())
        assert asked_for(bench, cnpj) == 2

    @pytest.mark.parametrize("leavers", [{0}, {1, 2}, {0, 1, 2}])
    def test_only_the_last_cancelled_caller_ends_the_calls(self, bench: Bench, leavers: set[int]) -> None:
        for provider in ALL:
            bench.providers.play(provider, slow(0.3))

        async def story() -> list[Any]:
            callers = [asyncio.ensure_future(look_up(bench.first, REFUSED[0])) for _ in range(3)]
            await asyncio.sleep(0.1)
            for leaver in leavers:
                callers[leaver].cancel()
            ends = await asyncio.gather(*callers, return_exceptions=True)
            assert asyncio.all_tasks() == {asyncio.current_task()}
            return ends

        ends = bench.loop.run_until_complete(story())
        assert {n for n, end in enumerate(ends) if isinstance(end, asyncio.CancelledError)} == leavers
        assert bench.providers.asked() == 1
        assert bench.providers.cancelled == (["opencnpj"] if len(leavers) == 3 else [])

    def test_nobody_joins_calls_that_are_being_cancelled(self, bench: Bench) -> None:
        flights: SingleFlight[str] = SingleFlight()

        async def slow_to_end() -> str:
            try:
                await asyncio.sleep(9)
            finally:
                await asyncio.sleep(1)
            return "first"

        async def story() -> str:
            first = asyncio.ensure_future(flights.run("key", slow_to_end))
            await asyncio.sleep(0.1)
            first.cancel()
            await asyncio.sleep(0.1)
            return await flights.run("key", lambda: asyncio.sleep(0, "second"))

        assert bench.loop.run_until_complete(story()) == "second"


class TestRecent:
    @given(st.lists(st.tuples(st.integers(-100, 100), st.sampled_from("abcdefgh")), max_size=60))
    def test_a_key_is_kept_for_a_minute_and_there_are_never_too_many(self, events) -> None:
        now = 1_000.0
        recent: Recent[int] = Recent(lambda: now, most=5)
        added: dict[str, float] = {}
        for step, key in events:
            now += step
            age = now - added.get(key, -1_000.0)
            known = recent.get(key) is not None
            assert known == (recent.seconds_left(key) > 0)
            assert not known or 0 <= age < RECENT_SECONDS
            if recent.add(1, key):
                added[key] = now
            assert recent.get(key) == 1
            assert 0 < recent.seconds_left(key) <= RECENT_SECONDS
            assert len(recent._entries) <= 5
