"""The look-up over real sockets: every fault of the simulator, met by the first choice."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from registry import Answer, CompanyNotFound, Registry, SourcesUnavailable, build_registry, hedging
from registry.fetcher import Fetcher
from registry.providers import PROVIDER_IDS, get_provider
from tests.simulator import Simulator
from tests.simulator.memory import MemoryStore
from tests.simulator.replies import FAULTS, Reply, truth

COMPANY = "11222333000181"
OTHER = "33000167000101"
AGENT = "brskills/1.0 (+https://example.com)"
SLOW = {"503-after-10s", "slow-bytes", "silent"}
HARMLESS = {"closed-when-reused"}
NO_FAILURE = {"false-404"}
QUICK = FAULTS.keys() - SLOW - HARMLESS


CERTIFICATES = httpx.create_ssl_context()  # loading them takes longer than most of these tests


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    with Simulator() as providers:
        yield providers


@pytest.fixture(autouse=True)
def _hedge_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """The unit tests have the real delays, in simulated time."""
    monkeypatch.setattr(hedging, "HEDGE_SECONDS", (0.1,))


def registry_of(urls: dict[str, str], *names: str, timeout: float = 3.0) -> Registry:
    """A registry whose first choice has so many seconds."""
    chosen = [get_provider(name) for name in names]
    chosen[0] = replace(chosen[0], timeout=timeout)
    transport = httpx.AsyncHTTPTransport(verify=CERTIFICATES)
    return Registry(chosen, Fetcher(urls, AGENT, transport), MemoryStore())


def look_up(registry: Registry, *numbers: str) -> Answer:
    """The last of some look-ups over the same connections."""

    async def all_of_them() -> Answer:
        try:
            for number in numbers:
                answer = await registry.look_up(number)
            return answer
        finally:
            await registry.close()

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("fault", sorted(FAULTS.keys() - HARMLESS))
@pytest.mark.parametrize("first", ["opencnpj", "receitaws"])
def test_the_next_group_answers_in_its_place(simulator: Simulator, first: str, fault: str) -> None:
    simulator.play(first, fault)
    timeout = 0.2 if fault in SLOW else 3.0
    answer = look_up(registry_of(simulator.urls, first, "brasilapi", "cnpja", timeout=timeout), COMPANY)
    assert answer.record.cnpj == COMPANY
    assert answer.record.fonte in {"brasilapi", "cnpja"}
    assert simulator.asked(first) == 1


@pytest.mark.parametrize(
    ("provider", "fault"),
    [
        (provider, fault)
        for provider in PROVIDER_IDS
        for fault in sorted(FAULTS.keys() - SLOW - HARMLESS - NO_FAILURE)
    ]
    + [("opencnpj", fault) for fault in sorted(SLOW)],
)
def test_alone_it_is_no_answer(simulator: Simulator, provider: str, fault: str) -> None:
    simulator.play(provider, fault)
    timeout = 0.2 if fault in SLOW else 3.0
    with pytest.raises(SourcesUnavailable) as error:
        look_up(registry_of(simulator.urls, provider, timeout=timeout), COMPANY)
    assert error.value.retry_after >= 1


@pytest.mark.parametrize("provider", PROVIDER_IDS)
def test_every_provider_answers_over_its_own_address(simulator: Simulator, provider: str) -> None:
    registry = build_registry(
        providers=[provider], urls=simulator.urls, store=MemoryStore(), user_agent=AGENT
    )
    assert look_up(registry, COMPANY).record.fonte == provider


def test_one_address_serves_all_but_one(simulator: Simulator) -> None:
    for provider in set(PROVIDER_IDS) - {"minhareceita"}:
        registry = build_registry(
            providers=[provider], urls={provider: simulator.base}, store=MemoryStore(), user_agent=AGENT
        )
        assert look_up(registry, COMPANY).record.fonte == provider


def test_a_false_404_alone_is_marked_unconfirmed(simulator: Simulator) -> None:
    simulator.play("opencnpj", "false-404")
    with pytest.raises(CompanyNotFound) as error:
        look_up(registry_of(simulator.urls, "opencnpj"), COMPANY)
    assert error.value.confirmed is False


def test_a_connection_that_died_in_the_meantime_is_not_the_providers_failure(simulator: Simulator) -> None:
    simulator.play("opencnpj", "closed-when-reused")
    answer = look_up(registry_of(simulator.urls, "opencnpj"), COMPANY, OTHER)
    assert answer.record.cnpj == OTHER
    assert [path for _, path in simulator.calls].count(f"/{OTHER}") == 2


def test_a_fresh_connection_that_fails_is(simulator: Simulator) -> None:
    simulator.play("opencnpj", "closed")
    with pytest.raises(SourcesUnavailable):
        look_up(registry_of(simulator.urls, "opencnpj"), COMPANY)
    assert simulator.asked("opencnpj") == 1


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(lambda url: url.replace("http:", "https:"), id="tls"),
        pytest.param(lambda url: "http://nowhere.invalid", id="dns"),
        pytest.param(lambda url: "http://127.0.0.1:1", id="refused"),
        pytest.param(lambda url: "http://[::bad", id="no-address"),
    ],
)
def test_an_address_out_of_reach(simulator: Simulator, broken) -> None:
    urls = {**simulator.urls, "opencnpj": broken(simulator.urls["opencnpj"])}
    answer = look_up(registry_of(urls, "opencnpj", "brasilapi", timeout=1.0), COMPANY)
    assert answer.record.fonte == "brasilapi"
    with pytest.raises(SourcesUnavailable):
        look_up(registry_of(urls, "opencnpj", timeout=1.0), COMPANY)


def test_a_redirect_is_not_followed_to_another_host(simulator: Simulator) -> None:
    elsewhere = f"{simulator.urls['minhareceita']}/{COMPANY}"
    simulator.play("opencnpj", lambda p, c: Reply(302, b"", {"location": elsewhere}))
    with pytest.raises(SourcesUnavailable):
        look_up(registry_of(simulator.urls, "opencnpj"), COMPANY)
    assert simulator.asked("minhareceita") == 0


def test_reading_stops_soon_after_two_megabytes(simulator: Simulator) -> None:
    body = b'{"a": "' + b"x" * (64 * 1024 * 1024)
    simulator.play("opencnpj", lambda p, c: Reply(200, body))

    async def tasks_left() -> int:
        registry = registry_of(simulator.urls, "opencnpj")
        with pytest.raises(SourcesUnavailable):
            await registry.look_up(COMPANY)
        left = len(asyncio.all_tasks()) - 1
        await registry.close()
        return left

    assert asyncio.run(tasks_left()) == 0


def test_one_loop_run_again_and_again_keeps_its_connections(simulator: Simulator) -> None:
    """As a function does it: run_until_complete for each event, nothing left running in between."""
    loop = asyncio.new_event_loop()
    registry = build_registry(
        providers=["opencnpj"], urls=simulator.urls, store=MemoryStore(), user_agent=AGENT
    )
    for number in (COMPANY, OTHER, "06990590000123"):
        assert loop.run_until_complete(registry.look_up(number)).record.cnpj == number
        assert asyncio.all_tasks(loop) == set()
    loop.run_until_complete(registry.close())
    loop.close()


def test_faults_can_be_played_over_http(simulator: Simulator) -> None:
    assert httpx.put(f"{simulator.base}/_fault/opencnpj/500", trust_env=False).status_code == 204
    with pytest.raises(SourcesUnavailable):
        look_up(registry_of(simulator.urls, "opencnpj"), COMPANY)
    assert truth("opencnpj", COMPANY).status == 200
