"""Breakers, quotas and health, shared by all instances."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest

from brskills_server.registry.errors import SourcesUnavailable
from brskills_server.registry.health.provider_state import ProviderState
from brskills_server.registry.health.state_sync import StateSync
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.results import Failed, Missing
from brskills_server.registry.store import Fields
from tests.simulator.clock import EPOCH, VirtualLoop, run
from tests.simulator.look_up import look_up
from tests.simulator.memory import VERBS, MemoryStore
from tests.simulator.process import provider_state, state_sync
from tests.simulator.replies import Fault, Reply, truth
from tests.simulator.transport import refused
from tests.unit.registry.conftest import ALL, Bench

COMPANY = "11222333000181"


def number(n: int) -> str:
    """Some canonical number; nothing here looks at check digits."""
    return f"1{n:011}00"


def asked_after(bench: Bench, provider: str, registry: object = None) -> int:
    before = bench.providers.asked(provider)
    number_of_look_up = bench.providers.asked() + 1000
    bench.look_up(number(number_of_look_up), registry)  # type: ignore[arg-type]
    return bench.providers.asked(provider) - before


class TestBreaker:
    @pytest.mark.parametrize("fault", ["500", refused, "empty-name", "silent"])
    def test_opens_after_five_failures_in_a_row(self, bench: Bench, fault: str | Fault) -> None:
        bench.providers.play("opencnpj", fault)
        assert [asked_after(bench, "opencnpj") for _ in range(6)] == [1, 1, 1, 1, 1, 0]

    def test_a_success_between_starts_the_count_anew(self, bench: Bench) -> None:
        for _ in range(3):
            bench.providers.play("opencnpj", "500")
            for _ in range(3):
                asked_after(bench, "opencnpj")
            bench.providers.play("opencnpj", "truth")
            assert asked_after(bench, "opencnpj") == 1

    def test_is_known_to_every_instance(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "500")
        for _ in range(5):
            asked_after(bench, "opencnpj")
        assert asked_after(bench, "opencnpj", bench.instance()) == 0

    def test_is_one_for_a_group(self, bench: Bench) -> None:
        bench.providers.play("brasilapi", "429-retry-after")
        registry = bench.instance("brasilapi", "minhareceita", "opencnpj")
        asked_after(bench, "brasilapi", registry)
        assert asked_after(bench, "minhareceita", registry) == 0

    def test_tries_one_call_after_its_rest_and_closes(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "500")
        for _ in range(5):
            asked_after(bench, "opencnpj")
        bench.providers.play("opencnpj", "truth")
        bench.sleep(9)
        assert asked_after(bench, "opencnpj") == 0
        bench.sleep(2)
        assert asked_after(bench, "opencnpj") == 2  # the control, and then the number
        assert bench.store.shared["open:opencnpj"] == 0

    def test_one_failed_trial_opens_it_again(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "500")
        for _ in range(5):
            asked_after(bench, "opencnpj")
        bench.sleep(11)
        assert [asked_after(bench, "opencnpj") for _ in range(2)] == [1, 0]

    def test_only_one_instance_tries(self, bench: Bench) -> None:
        bench.store.shared["open:opencnpj"] = int(bench.loop.clock()) - 1
        bench.providers.play("opencnpj", lambda p, c: Reply(200, truth(p, c).body, after=0.3))
        first, second = bench.instance("opencnpj", "cnpja"), bench.instance("opencnpj", "cnpja")

        async def both() -> None:
            await asyncio.gather(look_up(first, number(1)), look_up(second, number(2)))

        bench.loop.run_until_complete(both())
        assert bench.providers.asked("opencnpj") == 2  # the control, and then its number

    def test_being_overtaken_counts(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", lambda p, c: Reply(200, truth(p, c).body, after=2.0))
        assert [asked_after(bench, "opencnpj") for _ in range(6)] == [1, 1, 1, 1, 1, 0]

    def test_unfit_numbers_are_no_failure(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", lambda p, c: Reply(400, b'{"error": "invalid cnpj"}'))
        assert [asked_after(bench, "opencnpj") for _ in range(6)] == [1] * 6

    def test_works_in_one_instance_when_the_store_is_down(self, bench: Bench) -> None:
        bench.store.broken = VERBS
        bench.providers.play("opencnpj", "500")
        assert [asked_after(bench, "opencnpj") for _ in range(6)] == [1, 1, 1, 1, 1, 0]
        bench.sleep(11)
        assert asked_after(bench, "opencnpj") == 1


class TestRetryAfter:
    @pytest.mark.parametrize(
        ("status", "headers", "rest"),
        [
            (429, {"retry-after": "120"}, 120),
            (504, {"retry-after": "120"}, 120),
            (503, {"retry-after": "Tue, 18 Nov 2026 11:08:40 GMT"}, 1_795_000_120 - 1_795_000_000),
            (429, {}, 60),
            (429, {"retry-after": "soon"}, 60),
            (429, {"retry-after": "99999999999"}, 86_400),
            (503, {"retry-after": "0"}, 1),
            (429, {"retry-after": "-5"}, 60),
            (429, {"retry-after": "1e3"}, 60),
            (429, {"retry-after": "120, 60"}, 60),
            (429, {"retry-after": "9" * 5_000}, 60),
            (429, {"retry-after": "a " * 20_000}, 60),
            (429, {"retry-after": "Fri, 31 Dec 9999 23:59:59 -2359"}, 86_400),
            (429, {"retry-after": "Mon, 01 Jan 0000 00:00:00 GMT"}, 1),
            (429, {"retry-after": "Tue, 18 Nov 2026 11:08:40 +9999999"}, 60),
            (429, {"retry-after": "Tue, 99 Nov 2026 99:99:99 GMT"}, 60),
        ],
    )
    def test_is_honoured_at_once(self, bench: Bench, status: int, headers: dict[str, str], rest: int) -> None:
        bench.providers.play("opencnpj", lambda p, c: Reply(status, b"{}", headers))
        asked_after(bench, "opencnpj")
        assert bench.store.shared["open:opencnpj"] == int(bench.loop.clock()) + rest
        assert asked_after(bench, "opencnpj") == 0

    def test_is_passed_on(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "429-retry-after")
        with pytest.raises(SourcesUnavailable) as error:
            bench.look_up(number(1), bench.instance("opencnpj"))
        assert error.value.retry_after == 120

    def test_is_five_seconds_by_default(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", refused)
        with pytest.raises(SourcesUnavailable) as error:
            bench.look_up(number(1), bench.instance("opencnpj"))
        assert error.value.retry_after == 5

    def test_is_when_a_small_quota_is_free_again(self, bench: Bench) -> None:
        registry = bench.instance("receitaws")
        for n in range(3):
            bench.look_up(number(n), registry)
        bench.sleep(10)
        with pytest.raises(SourcesUnavailable) as error:
            bench.look_up(number(9), registry)
        assert error.value.retry_after == 52


class TestQuota:
    @pytest.mark.parametrize(("provider", "calls"), [("cnpja", 5), ("cnpjws", 3), ("receitaws", 3)])
    def test_no_minute_holds_more_calls_than_allowed(self, bench: Bench, provider: str, calls: int) -> None:
        instances = [bench.instance(provider) for _ in range(3)]
        for n in range(300):
            with suppress(SourcesUnavailable):
                bench.look_up(number(n), instances[n % 3])
            bench.sleep(1)
        times = [time for _, _, time in bench.providers.calls]
        assert len(times) >= 4 * calls
        assert all(sum(start <= t < start + 60 for t in times) <= calls for start in times)

    def test_instances_that_race_for_the_last_slots_share_them(self) -> None:
        store = MemoryStore()
        provider = PROVIDERS["cnpja"]

        async def take(instance: ProviderState) -> int:
            taken = 0
            for _ in range(5):
                taken += await instance.acquire(provider)
            return taken

        async def together() -> list[int]:
            views = [state_sync(store, lambda: 1000.0) for _ in range(10)]
            instances = [provider_state([provider], view) for view in views]
            return await asyncio.gather(*map(take, instances))

        assert sum(asyncio.run(together())) == 5


class TestHealth:
    def test_begins_closed_and_unknown(self, bench: Bench) -> None:
        health = bench.health()
        assert [source.id for source in health] == list(ALL)
        assert {(s.state, s.breaker, s.last_success, s.retry_at) for s in health} == {
            ("unknown", "closed", None, None)
        }

    def test_every_process_reports_breaker_and_last_success(self, bench: Bench) -> None:
        bench.look_up(number(1))
        bench.sleep(100)
        bench.providers.play("opencnpj", "429-retry-after")
        bench.look_up(number(2))
        first, second, *_ = bench.health(bench.instance())
        assert (first.state, first.breaker) == ("down", "open")
        assert first.last_success == "2026-11-18T11:06:40Z"
        assert first.retry_at == "2026-11-18T11:10:20Z"
        assert (second.state, second.last_success) == ("operational", "2026-11-18T11:08:20Z")
        bench.sleep(121)
        first = bench.health(bench.instance())[0]
        assert (first.state, first.breaker) == ("degraded", "half_open")

    def test_a_success_is_written_once_a_minute(self, bench: Bench) -> None:
        for n in range(120):
            bench.look_up(number(n))
            bench.sleep(1)
        assert bench.store.operations.count("set_state") == 2


def test_the_day_of_a_dump_is_requested_once_a_day(bench: Bench) -> None:
    other = bench.instance()
    for n in range(10):
        bench.look_up(number(n), (bench.first, other)[n % 2])
    infos = [path for _, path, _ in bench.providers.calls if path == "/info"]
    assert len(infos) == 1
    bench.sleep(86_401)
    bench.look_up(number(99))
    assert [path for _, path, _ in bench.providers.calls].count("/info") == 2


class TestConcurrent:
    """Look-ups at once in one process share one state."""

    @pytest.fixture
    def loop(self) -> Iterator[VirtualLoop]:
        loop = VirtualLoop(worker_seconds=0.3)
        yield loop
        loop.close()

    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()

    @pytest.fixture
    def view(self, loop: VirtualLoop, store: MemoryStore) -> StateSync:
        return state_sync(store, loop.clock)

    @pytest.fixture
    def state(self, loop: VirtualLoop, view: StateSync) -> ProviderState:
        return provider_state(list(map(PROVIDERS.__getitem__, ALL)), view)

    def test_they_share_one_read_a_second(
        self, loop: VirtualLoop, store: MemoryStore, view: StateSync
    ) -> None:
        async def story() -> None:
            await asyncio.gather(*(view.refresh() for _ in range(20)))
            assert (len(store.operations), loop.time()) == (1, 0.3)
            await asyncio.sleep(0.9)
            await view.refresh()
            assert len(store.operations) == 1
            await asyncio.sleep(0.2)
            await view.refresh()
            assert len(store.operations) == 2

        run(story(), loop)

    def test_a_read_that_hangs_costs_them_a_second_together(
        self, loop: VirtualLoop, store: MemoryStore, view: StateSync
    ) -> None:
        store.hangs = {"state"}

        async def story() -> None:
            await asyncio.gather(*(view.refresh() for _ in range(20)))
            await view.refresh()
            assert loop.time() == 1.0

        run(story(), loop)

    def test_nor_does_a_write_that_hangs_cost_more(
        self, loop: VirtualLoop, store: MemoryStore, view: StateSync, state: ProviderState
    ) -> None:
        store.hangs = {"state", "set_state"}

        async def story() -> None:
            state.record_result(Failed(PROVIDERS["opencnpj"], retry_after=60), COMPANY)
            await asyncio.gather(view.publish(), *(view.refresh() for _ in range(20)), view.publish())
            assert loop.time() == 1.0

        run(story(), loop)

    def test_a_clock_that_is_set_back_does_not_stop_the_reading(self, store: MemoryStore) -> None:
        now = [1000.0]
        view = state_sync(store, lambda: now[0])

        async def twice() -> None:
            await view.refresh()
            now[0] = 400.0
            await view.refresh()

        asyncio.run(twice())
        assert store.operations == ["state", "state"]

    def test_a_reader_that_gives_up_leaves_the_reading_to_the_next(
        self, loop: VirtualLoop, store: MemoryStore, view: StateSync, state: ProviderState
    ) -> None:
        store.shared["open:opencnpj"] = int(loop.clock()) + 60

        async def story() -> None:
            first, second = (asyncio.ensure_future(view.refresh()) for _ in range(2))
            await asyncio.sleep(0.1)
            first.cancel()
            await second
            assert state.breakers.seconds_open(PROVIDERS["opencnpj"]) > 0

        run(story(), loop)

    def test_a_read_under_way_undoes_no_change(
        self, loop: VirtualLoop, store: MemoryStore, view: StateSync, state: ProviderState
    ) -> None:
        provider = PROVIDERS["opencnpj"]

        store.state = dict  # type: ignore[method-assign]  # what was stored when the read began

        async def story() -> None:
            reading = asyncio.ensure_future(view.refresh())
            await asyncio.sleep(0.1)
            state.record_result(Failed(provider, retry_after=60), COMPANY)
            loop.worker_seconds = 0.05
            await asyncio.gather(reading, view.publish())
            assert not await state.acquire(provider)
            assert store.operations == ["set_state"]

        run(story(), loop)

    def test_one_of_them_makes_the_trial_call(
        self, loop: VirtualLoop, store: MemoryStore, view: StateSync, state: ProviderState
    ) -> None:
        store.shared["open:opencnpj"] = int(loop.clock()) - 1
        provider = PROVIDERS["opencnpj"]

        async def story() -> None:
            await view.refresh()
            taken = await asyncio.gather(*(state.acquire(provider) for _ in range(20)))
            assert sum(taken) == 1
            assert store.operations == ["state", "claim"]

        run(story(), loop)

    def test_one_of_them_makes_it_without_the_store_too(
        self, loop: VirtualLoop, store: MemoryStore, view: StateSync, state: ProviderState
    ) -> None:
        provider = PROVIDERS["opencnpj"]
        store.broken = VERBS

        async def story() -> None:
            state.record_result(Failed(provider, retry_after=5), COMPANY)
            await asyncio.sleep(6)
            await view.refresh()
            assert sum(await asyncio.gather(*(state.acquire(provider) for _ in range(20)))) == 1

        run(story(), loop)

    def test_they_spend_no_claim_in_vain(
        self, loop: VirtualLoop, store: MemoryStore, state: ProviderState
    ) -> None:
        provider = PROVIDERS["cnpja"]

        async def story() -> None:
            taken = await asyncio.gather(*(state.acquire(provider) for _ in range(20)))
            assert (sum(taken), len(store.operations)) == (5, 5)

        run(story(), loop)

    def test_a_success_from_before_closes_no_breaker(
        self, loop: VirtualLoop, store: MemoryStore, state: ProviderState
    ) -> None:
        provider = PROVIDERS["opencnpj"]

        async def story() -> None:
            assert await state.acquire(provider)
            assert await state.acquire(provider)
            state.record_result(Failed(provider, retry_after=120), COMPANY)
            state.record_result(Missing(provider), COMPANY)
            assert not await state.acquire(provider)

        run(story(), loop)

    def test_the_last_word_is_what_is_stored(
        self, loop: VirtualLoop, store: MemoryStore, view: StateSync, state: ProviderState
    ) -> None:
        provider = PROVIDERS["opencnpj"]
        delays = iter([0.5, 0.0])
        write = store.set_state

        def set_state(changes: Fields) -> None:
            loop.worker_seconds = next(delays, 0.0)
            write(changes)

        store.set_state = set_state  # type: ignore[method-assign]

        async def story() -> None:
            state.record_result(Failed(provider, retry_after=60), COMPANY)
            first = asyncio.ensure_future(view.publish())
            await asyncio.sleep(0.1)
            state.record_result(Failed(provider, retry_after=600), COMPANY)
            await asyncio.gather(first, *(view.publish() for _ in range(10)))
            assert store.shared["open:opencnpj"] == EPOCH + 600
            assert store.operations == ["set_state", "set_state"]

        run(story(), loop)


class TestFailedWrites:
    def test_an_open_breaker_is_written_when_the_store_is_back(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "429-retry-after")
        bench.store.broken = {"set_state"}
        bench.look_up(number(1))
        until = int(bench.loop.clock()) + 120
        bench.sleep(5)
        bench.store.broken = ()
        assert asked_after(bench, "opencnpj") == 0
        assert bench.store.shared["open:opencnpj"] == until

    def test_one_that_has_closed_meanwhile_is_not(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "429-retry-after")
        bench.store.broken = {"set_state"}
        bench.look_up(number(1))
        bench.sleep(200)
        bench.store.broken = ()
        bench.store.shared["open:opencnpj"] = later = int(bench.loop.clock()) + 60
        bench.look_up(number(2))
        assert bench.store.shared["open:opencnpj"] == later

    def test_the_day_of_a_dump_is_requested_again(self, bench: Bench) -> None:
        bench.store.broken = {"set_state"}
        bench.look_up(number(1))
        bench.store.broken = ()
        bench.sleep(601)
        bench.look_up(number(2))
        assert bench.store.shared["base:opencnpj"] == "2026-09-15"
