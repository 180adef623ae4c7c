"""Breakers, quotas and health, shared by all instances."""

import asyncio
from contextlib import suppress

import pytest

from registry import SourcesUnavailable
from registry.fail_safe_store import FailSafeStore
from registry.provider_state import ProviderState
from registry.providers import get_provider
from tests.simulator.memory import MemoryStore
from tests.simulator.replies import Reply, truth
from tests.unit.registry.conftest import ALL, Bench


def number(n: int) -> str:
    """Some canonical number; nothing here looks at check digits."""
    return f"1{n:011}00"


def asked_after(bench: Bench, provider: str, registry: object = None) -> int:
    before = bench.providers.asked(provider)
    number_of_look_up = bench.providers.asked() + 1000
    bench.look_up(number(number_of_look_up), registry)  # type: ignore[arg-type]
    return bench.providers.asked(provider) - before


class TestBreaker:
    def test_opens_after_five_failures_in_a_row(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "500")
        assert [asked_after(bench, "opencnpj") for _ in range(6)] == [1, 1, 1, 1, 1, 0]

    def test_a_success_between_starts_the_count_anew(self, bench: Bench) -> None:
        for _ in range(3):
            bench.providers.play("opencnpj", "500")
            for _ in range(4):
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
        assert asked_after(bench, "opencnpj") == 1
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
            await asyncio.gather(first.look_up(number(1)), second.look_up(number(2)))

        bench.loop.run_until_complete(both())
        assert bench.providers.asked("opencnpj") == 1

    def test_being_overtaken_counts(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", lambda p, c: Reply(200, truth(p, c).body, after=2.0))
        assert [asked_after(bench, "opencnpj") for _ in range(6)] == [1, 1, 1, 1, 1, 0]

    def test_unfit_numbers_are_nobodys_failure(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", lambda p, c: Reply(400, b'{"error": "invalid cnpj"}'))
        assert [asked_after(bench, "opencnpj") for _ in range(6)] == [1] * 6

    def test_works_in_one_instance_when_the_store_is_down(self, bench: Bench) -> None:
        bench.store.broken = True
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

    def test_is_a_few_seconds_when_nobody_asked_for_more(self, bench: Bench) -> None:
        bench.providers.play("opencnpj", "500")
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
        provider = get_provider("cnpja")

        async def take(instance: ProviderState) -> int:
            taken = 0
            for _ in range(5):
                taken += await instance.acquire(provider, FailSafeStore(store))
            return taken

        async def together() -> list[int]:
            return await asyncio.gather(*(take(ProviderState([provider], lambda: 1000.0)) for _ in range(10)))

        assert sum(asyncio.run(together())) == 5


class TestHealth:
    def test_begins_closed_and_unknown(self, bench: Bench) -> None:
        health = bench.loop.run_until_complete(bench.registry.health())
        assert [source.id for source in health] == list(ALL)
        assert {(s.breaker, s.last_success, s.retry_at) for s in health} == {("closed", None, None)}

    def test_tells_breaker_and_last_success_to_every_instance(self, bench: Bench) -> None:
        bench.look_up(number(1))
        bench.sleep(100)
        bench.providers.play("opencnpj", "429-retry-after")
        bench.look_up(number(2))
        first, second, *_ = bench.loop.run_until_complete(bench.instance().health())
        assert (first.breaker, first.last_success) == ("open", "2026-11-18T11:06:40Z")
        assert first.retry_at == "2026-11-18T11:10:20Z"
        assert (second.breaker, second.last_success) == ("closed", "2026-11-18T11:08:20Z")
        bench.sleep(121)
        assert bench.loop.run_until_complete(bench.registry.health())[0].breaker == "half_open"

    def test_a_success_is_written_once_a_minute(self, bench: Bench) -> None:
        for n in range(120):
            bench.look_up(number(n))
            bench.sleep(1)
        assert bench.store.operations.count("set_state") == 2

    def test_answers_without_the_store(self, bench: Bench) -> None:
        bench.look_up(number(1))
        bench.store.broken = True
        health = bench.loop.run_until_complete(bench.registry.health())
        assert health[0].last_success is not None


def test_the_day_of_a_dump_is_asked_for_once_a_day(bench: Bench) -> None:
    other = bench.instance()
    for n in range(10):
        bench.look_up(number(n), (bench.registry, other)[n % 2])
    infos = [path for _, path, _ in bench.providers.calls if path == "/info"]
    assert len(infos) == 1
    bench.sleep(86_401)
    bench.look_up(number(99))
    assert [path for _, path, _ in bench.providers.calls].count("/info") == 2
