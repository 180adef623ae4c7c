"""Breakers and rate limits, shared by all instances."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from brskills_server.registry.health.provider_state import ProviderState
from brskills_server.registry.health.state_sync import StateSync
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.results import Failed, Missing
from brskills_server.registry.store import Fields
from tests.simulator.clock import EPOCH, VirtualLoop, run
from tests.simulator.look_up import look_up
from tests.simulator.memory import VERBS, MemoryStore
from tests.simulator.process import provider_state, state_sync
from tests.simulator.replies import Fault, Reply
from tests.simulator.transport import refused
from tests.unit.registry.conftest import ALL, COMPANY, DAY, Bench, number, slow

OPENCNPJ = PROVIDERS["opencnpj"]
UNFIT = Reply(400, b'{"error": "invalid cnpj"}')


def calls_after(bench: Bench, provider: str, registry: Any = None) -> int:
    """How often a provider is called by one more look-up."""
    before = bench.providers.asked(provider)
    bench.look_up(number(bench.providers.asked() + 1000), registry)
    return bench.providers.asked(provider) - before


class TestBreaker:
    @pytest.mark.parametrize("fault", ["500", refused, "empty-name", "silent", slow(2.0)])
    @pytest.mark.parametrize("broken", [(), VERBS])
    def test_opens_after_five_failures_in_a_row(self, bench: Bench, fault: str | Fault, broken: Any) -> None:
        bench.store.broken = broken
        bench.providers.play("opencnpj", fault)
        assert [calls_after(bench, "opencnpj") for _ in range(6)] == [1, 1, 1, 1, 1, 0]
        # Without the store it is known to this process alone.
        assert calls_after(bench, "opencnpj", bench.instance()) == (1 if broken else 0)

    def test_a_success_between_starts_the_count_anew(self, bench: Bench) -> None:
        for _ in range(3):
            bench.providers.play("opencnpj", "500")
            for _ in range(3):
                calls_after(bench, "opencnpj")
            bench.providers.play("opencnpj", "truth")
            assert calls_after(bench, "opencnpj") == 1

    def test_is_one_for_a_group(self, bench: Bench) -> None:
        bench.providers.play("brasilapi", "429-retry-after")
        registry = bench.instance("brasilapi", "minhareceita", "opencnpj")
        calls_after(bench, "brasilapi", registry)
        assert calls_after(bench, "minhareceita", registry) == 0

    @pytest.mark.parametrize("broken", [(), VERBS])
    def test_makes_one_trial_call_after_ten_seconds(self, bench: Bench, broken: Any) -> None:
        bench.store.broken = broken
        bench.providers.play("opencnpj", "500")
        for _ in range(5):
            calls_after(bench, "opencnpj")
        bench.sleep(9)
        assert calls_after(bench, "opencnpj") == 0
        bench.sleep(2)
        assert [calls_after(bench, "opencnpj") for _ in range(2)] == [1, 0]
        bench.providers.play("opencnpj", "truth")
        bench.sleep(11)
        assert calls_after(bench, "opencnpj") == 2  # the control, and then the number
        assert broken or bench.store.shared["open:opencnpj"] == 0

    def test_only_one_instance_makes_the_trial_call(self, bench: Bench) -> None:
        bench.store.shared["open:opencnpj"] = int(bench.loop.clock()) - 1
        bench.providers.play("opencnpj", slow(0.3))
        first, second = bench.instance("opencnpj", "cnpja"), bench.instance("opencnpj", "cnpja")

        async def both() -> None:
            await asyncio.gather(look_up(first, number(1)), look_up(second, number(2)))

        bench.loop.run_until_complete(both())
        assert bench.providers.asked("opencnpj") == 2  # the control, and then its number

    def test_unfit_numbers_are_no_failure(self, bench: Bench) -> None:
        bench.refuse("opencnpj", fault=UNFIT)
        assert [calls_after(bench, "opencnpj") for _ in range(6)] == [1] * 6


class TestRetryAfter:
    @pytest.mark.parametrize(
        ("status", "header", "rest"),
        [
            (429, "120", 120),
            (504, "120", 120),
            (503, "Tue, 18 Nov 2026 11:08:40 GMT", 120),
            (429, None, 60),
            (429, "soon", 60),
            (429, "99999999999", 86_400),
            (503, "0", 1),
            (429, "-5", 60),
            (429, "120, 60", 60),
            (429, "9" * 5_000, 60),
            (429, "a " * 20_000, 60),
            (429, "Fri, 31 Dec 9999 23:59:59 -2359", 86_400),
            (429, "Mon, 01 Jan 0000 00:00:00 GMT", 1),
            (429, "Tue, 18 Nov 2026 11:08:40 +9999999", 60),
            (429, "Tue, 99 Nov 2026 99:99:99 GMT", 60),
        ],
    )
    def test_is_honoured_at_once_and_passed_on(self, bench, status, header, rest) -> None:
        headers = {} if header is None else {"retry-after": header}
        bench.refuse("opencnpj", fault=Reply(status, b"{}", headers))
        alone = bench.instance("opencnpj")
        assert bench.unavailable(number(1), alone).retry_after == max(rest, 5)
        assert bench.store.shared["open:opencnpj"] == EPOCH + rest
        assert bench.outcome(number(2), alone) == "unavailable"
        assert bench.providers.asked() == 1

    def test_is_five_seconds_by_default(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", refused)
        assert bench.unavailable(number(1), bench.instance("opencnpj")).retry_after == 5

    def test_is_when_a_rate_limit_allows_a_call_again(self, bench: Bench) -> None:
        registry = bench.instance("receitaws")
        for n in range(3):
            bench.look_up(number(n), registry)
        bench.sleep(10)
        assert bench.unavailable(number(9), registry).retry_after == 52


class TestRateLimit:
    @pytest.mark.parametrize(("provider", "calls"), [("cnpja", 5), ("cnpjws", 3)])
    def test_no_minute_holds_more_calls_than_allowed(self, bench: Bench, provider: str, calls: int) -> None:
        instances = [bench.instance(provider) for _ in range(3)]
        for n in range(150):
            bench.outcome(number(n), instances[n % 3])
            bench.sleep(2)
        times = [time for _, _, time in bench.providers.calls]
        assert len(times) >= 4 * calls
        assert all(sum(start <= t < start + 60 for t in times) <= calls for start in times)

    def test_instances_that_race_for_the_last_slots_share_them(self) -> None:
        store = MemoryStore()
        provider = PROVIDERS["cnpja"]

        async def take(instance: ProviderState) -> int:
            return sum([await instance.acquire(provider) for _ in range(5)])

        async def together() -> list[int]:
            views = [state_sync(store, lambda: 1000.0) for _ in range(10)]
            instances = [provider_state([provider], view) for view in views]
            return await asyncio.gather(*map(take, instances))

        assert sum(asyncio.run(together())) == 5


class TestDumpDate:
    def infos(self, bench: Bench) -> int:
        return [path for _, path, _ in bench.providers.calls].count("/info")

    def test_is_requested_once_a_day(self, bench: Bench) -> None:
        other = bench.instance()
        for seconds, infos in ((0, 1), (700, 1), (DAY - 710, 1), (10, 2)):
            bench.sleep(seconds)
            bench.look_up(number(2 * seconds))
            bench.look_up(number(2 * seconds + 1), other)
            assert self.infos(bench) == infos

    def test_is_requested_again_after_a_failed_write(self, bench: Bench) -> None:
        bench.store.broken = {"set_state"}
        bench.look_up(number(1))
        bench.store.broken = ()
        bench.sleep(601)
        bench.look_up(number(2))
        assert bench.store.shared["base:opencnpj"] == "2026-09-15"


class Process:
    """The state of one process whose store answers after 0.3 seconds."""

    def __init__(self) -> None:
        self.loop = VirtualLoop(worker_seconds=0.3)
        self.store = MemoryStore()
        self.view: StateSync = state_sync(self.store, self.loop.clock)
        self.state = provider_state([PROVIDERS[name] for name in ALL], self.view)

    def fail(self, retry_after: int) -> None:
        self.state.record_result(Failed(OPENCNPJ, retry_after), COMPANY)

    async def acquired(self, provider: str, times: int) -> int:
        return sum(await asyncio.gather(*(self.state.acquire(PROVIDERS[provider]) for _ in range(times))))


@pytest.fixture
def process() -> Iterator[Process]:
    made = Process()
    yield made
    made.loop.close()


class TestConcurrent:
    """Look-ups at once in one process share one state."""

    def test_they_share_one_read_a_second(self, process: Process) -> None:
        async def story() -> None:
            await asyncio.gather(*(process.view.refresh() for _ in range(20)))
            assert (len(process.store.operations), process.loop.time()) == (1, 0.3)
            for seconds, reads in ((0.9, 1), (0.2, 2)):
                await asyncio.sleep(seconds)
                await process.view.refresh()
                assert len(process.store.operations) == reads

        run(story(), process.loop)

    @pytest.mark.parametrize("hangs", [{"state"}, {"state", "set_state"}])
    def test_a_store_that_hangs_costs_them_a_second_together(self, process: Process, hangs: set[str]) -> None:
        process.store.hangs = hangs
        view = process.view

        async def story() -> None:
            process.fail(60)
            writes = [view.publish() for _ in range(2 if "set_state" in hangs else 0)]
            await asyncio.gather(*writes, *(view.refresh() for _ in range(20)))
            await view.refresh()
            assert process.loop.time() == 1.0

        run(story(), process.loop)

    def test_a_clock_that_is_set_back_does_not_stop_the_reading(self) -> None:
        now, store = [1000.0], MemoryStore()
        view = state_sync(store, lambda: now[0])

        async def twice() -> None:
            await view.refresh()
            now[0] = 400.0
            await view.refresh()

        asyncio.run(twice())
        assert store.operations == ["state", "state"]

    def test_a_reader_that_gives_up_leaves_the_reading_to_the_next(self, process: Process) -> None:
        process.store.shared["open:opencnpj"] = EPOCH + 60

        async def story() -> None:
            first, second = (asyncio.ensure_future(process.view.refresh()) for _ in range(2))
            await asyncio.sleep(0.1)
            first.cancel()
            await second
            assert process.state.breakers.seconds_open(OPENCNPJ) > 0

        run(story(), process.loop)

    def test_a_read_under_way_undoes_no_change(self, process: Process) -> None:
        process.store.state = dict  # type: ignore[method-assign]  # what was stored when the read began

        async def story() -> None:
            reading = asyncio.ensure_future(process.view.refresh())
            await asyncio.sleep(0.1)
            process.fail(60)
            process.loop.worker_seconds = 0.05
            await asyncio.gather(reading, process.view.publish())
            assert await process.acquired("opencnpj", 1) == 0
            assert process.store.operations == ["set_state"]

        run(story(), process.loop)

    def test_one_of_them_makes_the_trial_call(self, process: Process) -> None:
        process.store.shared["open:opencnpj"] = EPOCH - 1

        async def story() -> None:
            await process.view.refresh()
            assert await process.acquired("opencnpj", 20) == 1
            assert process.store.operations == ["state", "claim"]

        run(story(), process.loop)

    def test_one_of_them_makes_it_without_the_store_too(self, process: Process) -> None:
        process.store.broken = VERBS

        async def story() -> None:
            process.fail(5)
            await asyncio.sleep(6)
            await process.view.refresh()
            assert await process.acquired("opencnpj", 20) == 1

        run(story(), process.loop)

    def test_they_spend_no_claim_in_vain(self, process: Process) -> None:
        assert run(process.acquired("cnpja", 20), process.loop) == len(process.store.operations) == 5

    def test_a_success_from_before_closes_no_breaker(self, process: Process) -> None:
        async def story() -> None:
            assert await process.acquired("opencnpj", 2) == 2
            process.fail(120)
            process.state.record_result(Missing(OPENCNPJ), COMPANY)
            assert await process.acquired("opencnpj", 1) == 0

        run(story(), process.loop)

    def test_the_last_change_is_what_is_stored(self, process: Process) -> None:
        delays = iter([0.5, 0.0])
        write: Callable[[Fields], None] = process.store.set_state

        def set_state(changes: Fields) -> None:
            process.loop.worker_seconds = next(delays, 0.0)
            write(changes)

        process.store.set_state = set_state  # type: ignore[method-assign]

        async def story() -> None:
            process.fail(60)
            first = asyncio.ensure_future(process.view.publish())
            await asyncio.sleep(0.1)
            process.fail(600)
            await asyncio.gather(first, *(process.view.publish() for _ in range(10)))
            assert process.store.shared["open:opencnpj"] == EPOCH + 600
            assert process.store.operations == ["set_state", "set_state"]

        run(story(), process.loop)


@pytest.mark.parametrize(("seconds", "expected"), [(5, 120), (200, 260)])
def test_an_open_breaker_is_written_when_the_store_is_back(bench: Bench, seconds: int, expected: int) -> None:
    """One that has closed meanwhile is not: another process has opened it until later."""
    bench.providers.play("opencnpj", "429-retry-after")
    bench.store.broken = {"set_state"}
    bench.look_up(number(1))
    bench.sleep(seconds)
    bench.store.broken = ()
    if expected > 120:
        bench.store.shared["open:opencnpj"] = EPOCH + expected
    assert calls_after(bench, "opencnpj") == 0
    assert bench.store.shared["open:opencnpj"] == EPOCH + expected
