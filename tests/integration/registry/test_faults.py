"""The look-up over real sockets: every fault of the simulator, met by the first choice."""

import time
from dataclasses import replace
from itertools import cycle

import httpx
import pytest

from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Named
from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.answer_cache import FRESH_SECONDS, AnswerCache
from brskills_server.registry.errors import SourcesUnavailable
from brskills_server.registry.health.health import Health
from brskills_server.registry.lookup import hedging
from brskills_server.registry.lookup.local_lookup import LocalLookup
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.providers import REMOTE_IDS
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.client import MAX_KEPT, ProviderClient
from brskills_server.registry.query import Query
from brskills_server.registry.registry import Registry, build_registry
from tests.simulator import Simulator
from tests.simulator.memory import MemoryStore
from tests.simulator.replies import FAULTS, Reply, truth

COMPANY = "11222333000181"
OTHER = "33000167000101"
AGENT = "brskills/1.0 (+https://example.com)"
SLOW = {"503-after-10s", "slow-bytes", "slow-headers", "silent"}
HARMLESS = {"closed-when-reused"}


CERTIFICATES = httpx.create_ssl_context()  # loading them takes longer than most of these tests


@pytest.fixture(autouse=True)
def _hedge_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """The unit tests have the real delays, in simulated time."""
    monkeypatch.setattr(hedging, "HEDGE_SECONDS", (0.1,))


def registry_of(urls: dict[str, str], *names: str, timeout: float = 3.0) -> Registry:
    """A registry whose first choice has so many seconds."""
    chosen = [PROVIDERS[name] for name in names]
    chosen[0] = replace(chosen[0], timeout=timeout)
    client = ProviderClient(urls, Fetcher(AGENT, Named(CERTIFICATES), MAX_KEPT))
    store = MemoryStore()
    local = LocalLookup(AnswerCache(store, FRESH_SECONDS, time.time))
    return Registry(
        local,
        lambda: Health(names, store, time.time),
        lambda health: ProviderLookup(local, health, chosen, client),
    )


def unavailable(registry: Registry) -> SourcesUnavailable | None:
    """The exception of a look-up, if it has no answer."""
    try:
        look_up(registry, COMPANY)
    except SourcesUnavailable as error:
        return error
    return None


def look_up(registry: Registry, *numbers: str) -> Answer:
    """The last of some look-ups over the same connections."""
    try:
        return [registry.look_up(Query(number)) for number in numbers][-1]
    finally:
        registry.close()


@pytest.mark.parametrize(
    ("first", "fault"),
    list(zip(cycle(["opencnpj", "receitaws"]), sorted(FAULTS.keys() - HARMLESS), strict=False)),
)
def test_the_next_group_answers_instead(simulator: Simulator, first: str, fault: str) -> None:
    simulator.play(first, fault)
    timeout = 0.5 if fault in SLOW else 3.0  # on a busy machine less ends before the call
    answer = look_up(registry_of(simulator.urls, first, "brasilapi", "cnpja", timeout=timeout), COMPANY)
    assert answer.record.cnpj == COMPANY
    assert answer.record.fonte in {"brasilapi", "cnpja"}
    assert simulator.asked(first) == 1


@pytest.mark.parametrize(
    ("fault", "retry_after"),
    [
        *((fault, 5) for fault in sorted(SLOW)),
        ("closed", 5),  # on a fresh connection
        (Reply(429, b"{}", {"retry-after": "²"}), 60),
        (Reply(429, b"{}", {"retry-after": "١٢٠"}), 120),
        (Reply(429, b"{}", {"retry-after": "120\r\nretry-after: 30"}), 60),
    ],
)
def test_a_provider_that_fails_alone_is_asked_once(simulator, fault, retry_after) -> None:
    simulator.play("opencnpj", fault if isinstance(fault, str) else lambda p, c: fault)
    timeout = 0.2 if str(fault) in SLOW else 3.0
    error = unavailable(registry_of(simulator.urls, "opencnpj", timeout=timeout))
    assert error
    assert error.retry_after == retry_after
    assert simulator.asked("opencnpj") == 1


@pytest.mark.parametrize("provider", REMOTE_IDS)
def test_every_provider_answers_over_its_own_address(simulator: Simulator, provider: str) -> None:
    registry = build_registry(
        providers=[provider], urls=simulator.urls, store=MemoryStore(), user_agent=AGENT
    )
    assert look_up(registry, COMPANY).record.fonte == provider


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
    assert unavailable(registry_of(urls, "opencnpj", timeout=1.0))


@pytest.mark.parametrize(
    "head",
    [
        "HTTP/1.0 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-16\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
    ],
    ids=["http-1.0", "close", "wrong-charset", "interim"],
)
def test_unusual_but_valid_responses_are_read(simulator: Simulator, head: str) -> None:
    body = head.encode() + truth("opencnpj", COMPANY).body
    simulator.play("opencnpj", lambda p, c: Reply(200, body, manner="close-after", raw=True))
    assert look_up(registry_of(simulator.urls, "opencnpj"), COMPANY).record.cnpj == COMPANY


def test_an_answer_that_comes_twice_is_never_another_companys(simulator: Simulator) -> None:
    body = truth("brasilapi", COMPANY).body
    once = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body
    simulator.play("brasilapi", lambda p, c: Reply(200, 2 * once, raw=True) if c == COMPANY else truth(p, c))
    registry = registry_of(simulator.urls, "brasilapi")
    assert registry.look_up(Query(COMPANY)).record.cnpj == COMPANY
    with pytest.raises(SourcesUnavailable):
        look_up(registry, OTHER)
