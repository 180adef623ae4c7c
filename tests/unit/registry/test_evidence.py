"""What is known of each provider: by its last result, for a quarter of an hour, and to every instance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.registry.health.evidence import EVIDENCE_SECONDS, Evidence, LastResults
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from tests.simulator.clock import VirtualLoop
from tests.simulator.memory import VERBS, MemoryStore
from tests.simulator.paid import TOKENS
from tests.simulator.process import state_sync
from tests.simulator.replies import Fault, Reply, false_404
from tests.simulator.transport import refused
from tests.unit.registry.conftest import ALL, Bench, number

NUMBERS = count(1)


class Two:
    """Two processes that call one provider."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.first, self.second = (bench.instance("opencnpj") for _ in range(2))

    def ask(self, instance: ProviderLookup, fault: str | Fault) -> None:
        self._bench.providers.play("opencnpj", fault)
        ask(self._bench, instance)

    def states(self) -> list[str]:
        return [state_of(self._bench, one) for one in (self.first, self.second)]


def ask(bench: Bench, instance: ProviderLookup | None = None) -> None:
    """Look up a new company, with any outcome."""
    bench.outcome(number(next(NUMBERS)), instance)


def state_of(bench: Bench, instance: ProviderLookup | None = None, provider: str = "opencnpj") -> str:
    (found,) = [one.state for one in bench.health(instance) if one.id == provider]
    return found


@pytest.fixture
def two(bench: Bench) -> Two:
    return Two(bench)


class TestStates:
    @pytest.mark.parametrize(("fault", "state"), [("truth", "operational"), (refused, "degraded")])
    def test_a_result_is_evidence_for_a_quarter_of_an_hour(self, bench, fault, state) -> None:
        bench.providers.play("opencnpj", fault)
        ask(bench)
        assert state_of(bench) == state_of(bench, bench.instance()) == state
        bench.sleep(EVIDENCE_SECONDS - 1)
        assert state_of(bench) == state
        bench.sleep(1)
        assert state_of(bench) == "unknown"
        assert bench.health()[0].last_success == ("2026-11-18T11:06:40Z" if fault == "truth" else None)

    def test_a_failure_in_the_second_of_a_success_counts(self, bench: Bench) -> None:
        ask(bench)
        bench.providers.play("opencnpj", refused)
        ask(bench)  # in the same second
        assert state_of(bench) == state_of(bench, bench.instance()) == "degraded"

    def test_an_open_breaker_is_down_and_then_degraded_until_a_trial_succeeds(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", refused)
        for _ in range(5):
            ask(bench)
        assert state_of(bench) == "down"
        bench.sleep(11)
        assert state_of(bench) == "degraded"
        bench.providers.play("opencnpj", "truth")
        ask(bench)
        assert state_of(bench) == "operational"

    def test_an_untried_breaker_is_no_evidence_after_a_quarter_of_an_hour(self, bench: Bench) -> None:
        bench.store.shared["open:opencnpj"] = int(bench.loop.clock()) + 1
        assert state_of(bench) == "down"
        bench.sleep(EVIDENCE_SECONDS)
        assert state_of(bench) == "degraded"
        bench.sleep(2)
        assert state_of(bench) == "unknown"

    def test_an_absence_is_evidence_and_an_unfit_number_is_none(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", false_404)
        ask(bench)
        assert state_of(bench) == "operational"
        bench.sleep(EVIDENCE_SECONDS)
        bench.providers.play("opencnpj", lambda *_: Reply(400, b'{"error": "invalid cnpj"}'))
        ask(bench)
        assert state_of(bench) == "unknown"

    def test_neither_the_beginning_of_time_nor_the_future_is_evidence(self, bench: Bench) -> None:
        assert LastResults(0, 0).state(1) == "unknown"
        bench.store.shared["seen:opencnpj"] = int(bench.loop.clock()) + 3600
        assert state_of(bench) == "unknown"

    def test_a_paid_address_is_no_evidence_of_the_open_one(self, bench: Bench) -> None:
        registry = bench.instance("cnpja", tokens=TOKENS | {"cnpjws": "x"}, paid_per_day=5)
        bench.providers.play("cnpja:paid", "500")
        bench.look_up(number(next(NUMBERS)), registry, max_data_age=400)
        assert state_of(bench, registry, "cnpja") == "operational"


class TestInstances:
    def test_a_failure_is_known_to_the_others_though_they_were_answered(self, bench: Bench, two: Two) -> None:
        two.ask(two.first, "truth")
        bench.sleep(5)
        two.ask(two.second, refused)
        bench.sleep(1)
        assert two.states() == ["degraded", "degraded"]

    def test_a_success_within_ten_seconds_of_a_failure_is_none(self, bench: Bench, two: Two) -> None:
        two.ask(two.first, refused)
        bench.sleep(9)
        two.ask(two.second, "truth")
        assert two.states() == ["degraded", "degraded"]
        bench.sleep(1)
        two.ask(two.second, "truth")
        bench.sleep(1)
        assert two.states() == ["operational", "operational"]

    def test_a_success_soon_after_a_failure_counts_ten_seconds_after_it(self, bench: Bench, two: Two) -> None:
        two.ask(two.first, refused)
        bench.sleep(3)
        two.ask(two.second, "truth")
        bench.sleep(6)
        assert two.states() == ["degraded", "degraded"]
        bench.sleep(1)
        assert two.states() == ["degraded", "operational"]  # which writes it
        bench.sleep(1)
        assert two.states() == ["operational", "operational"]

    def test_a_success_is_written_once_a_minute(self, bench: Bench) -> None:
        for _ in range(40):
            ask(bench)
            bench.sleep(3)
        assert bench.store.operations.count("set_state") == 2

    def test_an_unsteady_provider_costs_two_writes_in_ten_seconds(self, bench: Bench, two: Two) -> None:
        for n in range(100):
            two.ask((two.first, two.second)[n % 2], (refused, "truth")[n // 2 % 2])
            bench.sleep(0.5)
            if n % 4 == 1:  # both have failed
                bench.sleep(1)
                assert set(two.states()) <= {"degraded", "down"}
        assert bench.store.operations.count("set_state") <= 2 * 2 * bench.loop.time() / 10

    def test_a_failure_before_a_known_success_is_written_with_the_next_look_up(self, bench, two) -> None:
        two.ask(two.first, refused)
        now = int(bench.loop.clock())
        two.first.health.evidence._own["opencnpj"] = LastResults(0, now + 4)  # not written
        bench.store.shared["seen:opencnpj"] = now + 3
        bench.sleep(5)
        assert state_of(bench, two.second) == "operational"
        bench.health(two.first)
        bench.sleep(1)
        assert state_of(bench, two.second) == "degraded"

    def test_without_the_store_each_knows_its_own_results(self, bench: Bench, two: Two) -> None:
        bench.store.broken = VERBS
        two.ask(two.first, refused)
        assert two.states() == ["degraded", "unknown"]
        bench.store.broken = ()
        bench.sleep(1)
        state_of(bench, two.first)  # which writes it now
        bench.sleep(1)
        assert state_of(bench, two.second) == "degraded"


class TwoProcesses:
    """Two processes that call a provider at different times."""

    def __init__(self) -> None:
        self.now = 1_000.0
        store = MemoryStore()
        self._views = [state_sync(store, lambda: self.now) for _ in range(2)]
        self._evidence = [Evidence(view.state) for view in self._views]
        self._loop = VirtualLoop()

    def ask(self, who: int, *, failed: bool) -> None:
        """A look-up of one of them, which reads before."""
        self._loop.run_until_complete(self._views[who].refresh())
        self._evidence[who].record("x", failed=failed)
        self._loop.run_until_complete(self._views[who].publish())

    def states(self) -> set[str]:
        """What both say, a second later."""
        self.now += 1
        for view in self._views:
            self._loop.run_until_complete(view.refresh())
        return {one.last("x").state(int(self.now)) for one in self._evidence}

    def close(self) -> None:
        self._loop.close()


@pytest.fixture
def processes() -> Iterator[TwoProcesses]:
    made = TwoProcesses()
    yield made
    made.close()


@pytest.mark.parametrize("every", [2, 3, 7, 9])
def test_one_that_fails_every_few_seconds_in_one_process_is_degraded_in_all(processes, every) -> None:
    for second in range(40):
        failed = second % every == 0
        processes.ask(0 if failed else 1, failed=failed)
        assert processes.states() == {"degraded"}


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 1), st.booleans()), min_size=1))
def test_a_last_failure_counts_in_every_process(results) -> None:
    """Results of two processes: seconds since the last, whose it is, whether it failed."""
    with closing(TwoProcesses()) as processes:
        for wait, who, failed in results:
            processes.now += wait + 1
            processes.ask(who, failed=failed)
        if results[-1][2]:
            assert processes.states() == {"degraded"}


class TestProbe:
    def probe(self, bench: Bench, instance: ProviderLookup | None = None) -> set[str]:
        """Probe the providers, and return those that were asked."""
        before = len(bench.providers.calls)
        bench.loop.run_until_complete((instance or bench.first).probe())
        calls = bench.providers.calls[before:]
        assert all("00000000000191" in path for _, path, _ in calls if path != "/info")
        return {provider for provider, _, _ in calls}

    def test_requests_one_company_from_all_without_results(self, bench: Bench) -> None:
        ask(bench)
        bench.observed.clear()
        stored = dict(bench.store.entries)
        assert self.probe(bench) == set(ALL) - {"opencnpj"}
        bench.sleep(2)
        assert {one.state for one in bench.health(bench.instance())} == {"operational"}
        assert self.probe(bench, bench.instance()) == set()
        assert (bench.store.entries, bench.observed) == (stored, [])

    def test_every_ten_minutes_leaves_no_gap(self, bench: Bench) -> None:
        for n in range(5):
            bench.sleep(660)  # a tenth later than due
            if n:
                assert {one.state for one in bench.health()} == {"operational"}
            self.probe(bench)

    def test_what_could_not_be_written_is_written_by_the_next_round(self, bench: Bench) -> None:
        bench.store.broken = {"set_state"}
        self.probe(bench)
        bench.store.broken = ()
        bench.sleep(2)
        assert self.probe(bench) == set()
        assert state_of(bench, bench.instance(), "brasilapi") == "operational"

    def test_failures_are_evidence_too_and_open_breakers_hold(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "429-retry-after")
        self.probe(bench)
        assert state_of(bench) == "down"
        bench.store.shared["open:opencnpj"] = int(bench.loop.clock()) + 3600
        bench.sleep(300)
        assert "opencnpj" not in self.probe(bench)

    def test_rate_limits_apply_and_neither_paid_address_nor_snapshot_is_probed(self, bench: Bench) -> None:
        now = int(bench.loop.clock())
        bench.store.shared |= {f"slot:receitaws:{n}": now for n in range(3)}
        registry = bench.instance("receita", "cnpja", "receitaws", tokens=TOKENS, paid_per_day=5)
        assert self.probe(bench, registry) == {"cnpja"}
        assert state_of(bench, registry, "receitaws") == "unknown"
        assert bench.snapshot.asked == ["00000000000191"]  # by its health
