"""The order of events in hedged requests, in simulated time."""

import asyncio
from collections.abc import Callable

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
from tests.simulator.clock import VirtualLoop, run
from tests.simulator.companies import company
from tests.simulator.dialects import DIALECTS
from tests.unit.registry.conftest import ALL

RECORD = read_record(PROVIDERS["brasilapi"], DIALECTS["brasilapi"](company("11222333000181")))

Script = dict[str, tuple[float, Callable[[Provider], AttemptResult]]]


def found(provider: Provider) -> AttemptResult:
    return Found(provider, RECORD)


def run_script(script: Script) -> tuple[list[AttemptResult], dict[str, float], float]:
    """Outcomes, start times and the end of a request whose providers do what the script says."""
    loop, starts = VirtualLoop(), {}

    async def attempt(provider: Provider) -> AttemptResult:
        starts[provider.id] = round(loop.time(), 3)
        seconds, result = script[provider.id]
        await asyncio.sleep(seconds)
        return result(provider)

    results = run(ask_hedged([PROVIDERS[name] for name in script], attempt), loop)
    end = round(loop.time(), 3)
    loop.close()
    return results, starts, end


def named(results: list[AttemptResult]) -> list[tuple[str, str]]:
    return [(result.provider.id, type(result).__name__) for result in results]


def test_starts_are_spaced_without_answers() -> None:
    never = (99, found)
    _, starts, end = run_script(dict.fromkeys(ALL, never))
    assert starts == {"opencnpj": 0, "brasilapi": 0.6, "cnpja": 1.5, "cnpjws": 2.5, "receitaws": 3.5}
    assert end == 8.0


def test_a_late_denial_does_not_extend_the_whole_time() -> None:
    never = (99, found)
    _, _, end = run_script({"opencnpj": never, "brasilapi": never, "cnpja": (5, Missing), "cnpjws": never})
    assert end == 8.0  # not three seconds after the denial at 6.5


def test_an_answer_that_comes_during_the_cancellation_is_kept() -> None:
    loop = VirtualLoop()

    async def attempt(provider: Provider) -> AttemptResult:
        try:
            await asyncio.sleep(99 if provider.id == "opencnpj" else 0.1)
        except asyncio.CancelledError:
            return Missing(provider)
        return found(provider)

    results = run(ask_hedged([PROVIDERS["opencnpj"], PROVIDERS["cnpja"]], attempt), loop)
    assert named(results) == [("cnpja", "Found"), ("opencnpj", "Missing")]
    loop.close()


def test_a_failure_starts_the_next_at_once() -> None:
    results, starts, end = run_script({"opencnpj": (0.2, Failed), "cnpja": (0.3, found)})
    assert starts == {"opencnpj": 0, "cnpja": 0.2}
    assert (named(results), end) == ([("opencnpj", "Failed"), ("cnpja", "Found")], 0.5)


def test_one_that_may_not_be_asked_is_passed_over() -> None:
    results, _, end = run_script({"opencnpj": (0, Skipped), "cnpja": (0, Skipped), "brasilapi": (0.5, found)})
    assert named(results)[-1] == ("brasilapi", "Found")
    assert end == 0.5


def outdated(provider: Provider) -> AttemptResult:
    return Outdated(provider, RECORD)


def test_a_record_that_is_too_old_starts_the_next_group_at_once() -> None:
    results, starts, end = run_script(
        {"minhareceita": (0.1, outdated), "brasilapi": (0.1, found), "cnpja": (0.2, found)}
    )
    assert starts == {"minhareceita": 0, "cnpja": 0.1}  # its group has nothing newer
    assert (named(results), end) == ([("minhareceita", "Outdated"), ("cnpja", "Found")], 0.3)


def test_a_company_in_old_data_contradicts_a_denial() -> None:
    results, _, end = run_script(
        {"opencnpj": (0.1, outdated), "cnpja": (0.1, Missing), "receitaws": (0.1, Missing)}
    )
    assert [name for _, name in named(results)] == ["Outdated", "Missing", "Missing"]
    assert not is_absence_confirmed(results)
    assert end == 0.3


def test_one_that_is_overtaken_by_old_data_is_rejected_too() -> None:
    results, _, _ = run_script({"opencnpj": (99, found), "cnpja": (0.1, outdated)})
    assert named(results) == [("cnpja", "Outdated"), ("opencnpj", "Rejected")]


def test_an_overtaken_provider_is_rejected() -> None:
    results, _, _ = run_script({"opencnpj": (3, found), "brasilapi": (0.4, found)})
    assert named(results) == [("brasilapi", "Found"), ("opencnpj", "Rejected")]


def test_an_unneeded_hedge_does_not() -> None:
    results, _, _ = run_script({"opencnpj": (0.7, found), "brasilapi": (3, found)})
    assert named(results) == [("opencnpj", "Found"), ("brasilapi", "Dropped")]


def test_all_that_came_back_together_is_kept() -> None:
    results, _, _ = run_script({"opencnpj": (0.75, found), "brasilapi": (0.15, found)})
    assert sorted(named(results)) == [("brasilapi", "Found"), ("opencnpj", "Found")]


def test_a_denial_asks_a_fresher_provider_first() -> None:
    _, starts, _ = run_script(
        {
            "opencnpj": (0.1, Missing),
            "brasilapi": (0.1, Missing),
            "cnpjws": (0, Missing),
            "cnpja": (0.1, found),
        }
    )
    assert starts == {"opencnpj": 0, "cnpja": 0.1}


def test_a_slow_confirmation_is_hedged_too() -> None:
    results, starts, end = run_script(
        {"opencnpj": (0.1, Missing), "cnpja": (5, Missing), "receitaws": (0.5, Missing)}
    )
    assert starts == {"opencnpj": 0, "cnpja": 0.1, "receitaws": 1.0}
    assert end == 1.5
    assert is_absence_confirmed(results)


def test_a_fresher_denial_needs_a_second_group() -> None:
    results, starts, _ = run_script({"cnpja": (0.1, Missing), "opencnpj": (0.1, Missing)})
    assert starts == {"cnpja": 0, "opencnpj": 0.1}
    assert is_absence_confirmed(results)


def test_the_second_of_a_group_waits_for_the_others() -> None:
    _, starts, _ = run_script(
        {
            "minhareceita": (0.1, Failed),
            "brasilapi": (0.1, Failed),
            "opencnpj": (0.1, Failed),
            "cnpja": (0.1, Failed),
        }
    )
    assert list(starts) == ["minhareceita", "opencnpj", "cnpja", "brasilapi"]


@pytest.mark.parametrize(
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
    assert is_absence_confirmed([Missing(PROVIDERS[name]) for name in deniers]) is expected


def test_an_attempt_that_raises_stops_the_others() -> None:
    loop = VirtualLoop()

    async def attempt(provider: Provider) -> AttemptResult:
        await asyncio.sleep(1 if provider.id == "opencnpj" else 0.1)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run(ask_hedged([PROVIDERS["opencnpj"], PROVIDERS["cnpja"]], attempt), loop)
    assert asyncio.all_tasks(loop) == set()
    loop.close()
