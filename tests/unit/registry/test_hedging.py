"""The order of events in hedged requests, in simulated time."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from brskills_server.registry.lookup.hedging import ask_hedged, is_absence_confirmed
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.reader import read_record
from brskills_server.registry.providers.results import (
    AttemptResult,
    Failed,
    Found,
    Missing,
    Outdated,
    Skipped,
)
from tests.for_each import for_each
from tests.simulator.clock import VirtualLoop, run
from tests.simulator.companies import company
from tests.simulator.dialects import DIALECTS
from tests.unit.registry.conftest import ALL

RECORD = read_record(PROVIDERS["brasilapi"], DIALECTS["brasilapi"](company("11222333000181")))

Script = dict[str, tuple[float, Callable[[Provider], AttemptResult]]]


def found(provider: Provider) -> AttemptResult:
    return Found(provider, RECORD)


def outdated(provider: Provider) -> AttemptResult:
    return Outdated(provider, RECORD)


def named(results: list[AttemptResult]) -> str:
    return ", ".join(f"{result.provider.id} {type(result).__name__}" for result in results)


NEVER = (99, found)
CASES: dict[str, tuple[Script, str, dict[str, float], float]] = {
    "starts are spaced without answers": (
        dict.fromkeys(ALL, NEVER),
        ", ".join(f"{name} Dropped" for name in ALL),
        {"opencnpj": 0, "brasilapi": 0.6, "cnpja": 1.5, "cnpjws": 2.5, "receitaws": 3.5},
        8.0,
    ),
    "a late denial does not extend the whole time": (  # it came at 6.5
        {"opencnpj": NEVER, "brasilapi": NEVER, "cnpja": (5, Missing), "cnpjws": NEVER},
        "cnpja Missing, opencnpj Rejected, brasilapi Rejected, cnpjws Dropped",
        {"opencnpj": 0, "brasilapi": 0.6, "cnpja": 1.5, "cnpjws": 2.5},
        8.0,
    ),
    "a failure starts the next at once": (
        {"opencnpj": (0.2, Failed), "cnpja": (0.3, found)},
        "opencnpj Failed, cnpja Found",
        {"opencnpj": 0, "cnpja": 0.2},
        0.5,
    ),
    "skipped providers take no time": (
        {"opencnpj": (0, Skipped), "cnpja": (0, Skipped), "brasilapi": (0.5, found)},
        "opencnpj Skipped, cnpja Skipped, brasilapi Found",
        {"opencnpj": 0, "cnpja": 0, "brasilapi": 0},
        0.5,
    ),
    "a record that is too old starts the next group": (  # its group has nothing newer
        {"minhareceita": (0.1, outdated), "brasilapi": (0.1, found), "cnpja": (0.2, found)},
        "minhareceita Outdated, cnpja Found",
        {"minhareceita": 0, "cnpja": 0.1},
        0.3,
    ),
    "a company in old data contradicts a denial": (
        {"opencnpj": (0.1, outdated), "cnpja": (0.1, Missing), "receitaws": (0.1, Missing)},
        "opencnpj Outdated, cnpja Missing, receitaws Missing",
        {"opencnpj": 0, "cnpja": 0.1, "receitaws": 0.2},
        0.3,
    ),
    "a provider overtaken by old data is rejected": (
        {"opencnpj": (99, found), "cnpja": (0.1, outdated)},
        "cnpja Outdated, opencnpj Rejected",
        {"opencnpj": 0, "cnpja": 0.6},
        8.0,
    ),
    "an overtaken provider is rejected": (
        {"opencnpj": (3, found), "brasilapi": (0.4, found)},
        "brasilapi Found, opencnpj Rejected",
        {"opencnpj": 0, "brasilapi": 0.6},
        1.0,
    ),
    "an unneeded hedge is dropped": (
        {"opencnpj": (0.7, found), "brasilapi": (3, found)},
        "opencnpj Found, brasilapi Dropped",
        {"opencnpj": 0, "brasilapi": 0.6},
        0.7,
    ),
    "all that came back together is kept": (
        {"opencnpj": (0.75, found), "brasilapi": (0.15, found)},
        "opencnpj Found, brasilapi Found",
        {"opencnpj": 0, "brasilapi": 0.6},
        0.75,
    ),
    "a denial asks a fresher provider first": (
        {"opencnpj": (0.1, Missing), "brasilapi": NEVER, "cnpjws": NEVER, "cnpja": (0.1, found)},
        "opencnpj Missing, cnpja Found",
        {"opencnpj": 0, "cnpja": 0.1},
        0.2,
    ),
    "a slow confirmation is hedged too": (
        {"opencnpj": (0.1, Missing), "cnpja": (5, Missing), "receitaws": (0.5, Missing)},
        "opencnpj Missing, receitaws Missing, cnpja Rejected",
        {"opencnpj": 0, "cnpja": 0.1, "receitaws": 1.0},
        1.5,
    ),
    "a fresher denial needs a second group": (
        {"cnpja": (0.1, Missing), "opencnpj": (0.1, Missing)},
        "cnpja Missing, opencnpj Missing",
        {"cnpja": 0, "opencnpj": 0.1},
        0.2,
    ),
    "the second of a group waits for the others": (
        dict.fromkeys(("minhareceita", "brasilapi", "opencnpj", "cnpja"), (0.1, Failed)),
        "minhareceita Failed, opencnpj Failed, cnpja Failed, brasilapi Failed",
        {"minhareceita": 0, "opencnpj": 0.1, "cnpja": 0.2, "brasilapi": 0.3},
        0.4,
    ),
}


@for_each(("script", "expected", "starts", "end"), CASES.values())
def test_results_starts_and_end(script: Script, expected: str, starts: dict[str, float], end: float) -> None:
    loop, started = VirtualLoop(), {}

    async def attempt(provider: Provider) -> AttemptResult:
        started[provider.id] = round(loop.time(), 3)
        seconds, result = script[provider.id]
        await asyncio.sleep(seconds)
        return result(provider)

    results = run(ask_hedged([PROVIDERS[name] for name in script], attempt), loop)
    assert named(results) == expected
    assert (started, round(loop.time(), 3)) == (starts, end)
    loop.close()


@for_each(
    ("deniers", "expected"),
    [
        (["opencnpj"], False),
        (["cnpja"], False),
        (["opencnpj", "brasilapi", "cnpjws"], False),
        (["brasilapi", "minhareceita"], False),
        (["opencnpj", "cnpja"], True),
        (["brasilapi", "receitaws"], True),
        (["cnpja", "receitaws"], True),
    ],
)
def test_what_confirms_a_denial(deniers: list[str], expected: bool) -> None:
    results: list[Any] = [Missing(PROVIDERS[name]) for name in deniers]
    assert is_absence_confirmed(results) is expected
    assert not is_absence_confirmed([*results, outdated(PROVIDERS["cnpjws"])])


def test_an_answer_that_comes_during_the_cancellation_is_kept() -> None:
    loop = VirtualLoop()

    async def attempt(provider: Provider) -> AttemptResult:
        try:
            await asyncio.sleep(99 if provider.id == "opencnpj" else 0.1)
        except asyncio.CancelledError:
            return Missing(provider)
        return found(provider)

    results = run(ask_hedged([PROVIDERS["opencnpj"], PROVIDERS["cnpja"]], attempt), loop)
    assert named(results) == "cnpja Found, opencnpj Missing"
    loop.close()


def test_an_attempt_that_raises_stops_the_others() -> None:
    loop = VirtualLoop()

    async def attempt(provider: Provider) -> AttemptResult:
        await asyncio.sleep(1 if provider.id == "opencnpj" else 0.1)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run(ask_hedged([PROVIDERS["opencnpj"], PROVIDERS["cnpja"]], attempt), loop)
    assert asyncio.all_tasks(loop) == set()
    loop.close()
