"""The order of events in a race, in simulated time."""

import asyncio
from collections.abc import Callable

import pytest

from registry.outcome import Failed, Found, Missing, Outcome, Skipped
from registry.providers import PROVIDERS, Provider
from registry.race import is_confirmed, race
from tests.simulator.clock import VirtualLoop, run
from tests.simulator.companies import company
from tests.simulator.dialects import DIALECTS

RECORD = PROVIDERS["brasilapi"].read(DIALECTS["brasilapi"](company("11222333000181")))

Script = dict[str, tuple[float, Callable[[Provider], Outcome]]]


def found(provider: Provider) -> Outcome:
    return Found(provider, RECORD)


def run_race(script: Script) -> tuple[list[Outcome], dict[str, float], float]:
    """Outcomes, start times and the end of a race whose providers do what the script says."""
    loop, starts = VirtualLoop(), {}

    async def attempt(provider: Provider) -> Outcome:
        starts[provider.id] = round(loop.time(), 3)
        seconds, outcome = script[provider.id]
        await asyncio.sleep(seconds)
        return outcome(provider)

    outcomes = run(race([PROVIDERS[name] for name in script], attempt), loop)
    end = round(loop.time(), 3)
    loop.close()
    return outcomes, starts, end


def named(outcomes: list[Outcome]) -> list[tuple[str, str]]:
    return [(outcome.provider.id, type(outcome).__name__) for outcome in outcomes]


def test_starts_are_spaced_while_nobody_answers() -> None:
    never = (99, found)
    _, starts, end = run_race(dict.fromkeys(["opencnpj", "brasilapi", "cnpja", "cnpjws", "receitaws"], never))
    assert starts == {"opencnpj": 0, "brasilapi": 0.6, "cnpja": 1.5, "cnpjws": 2.5, "receitaws": 3.5}
    assert end == 8.0


def test_a_failure_starts_the_next_at_once() -> None:
    outcomes, starts, end = run_race({"opencnpj": (0.2, Failed), "cnpja": (0.3, found)})
    assert starts == {"opencnpj": 0, "cnpja": 0.2}
    assert (named(outcomes), end) == ([("opencnpj", "Failed"), ("cnpja", "Found")], 0.5)


def test_one_that_may_not_be_asked_is_passed_over() -> None:
    outcomes, _, end = run_race({"opencnpj": (0, Skipped), "cnpja": (0, Skipped), "brasilapi": (0.5, found)})
    assert named(outcomes)[-1] == ("brasilapi", "Found")
    assert end == 0.5


def test_an_overtaken_provider_counts_as_failed() -> None:
    outcomes, _, _ = run_race({"opencnpj": (3, found), "brasilapi": (0.4, found)})
    assert named(outcomes) == [("brasilapi", "Found"), ("opencnpj", "Failed")]


def test_an_unneeded_hedge_does_not() -> None:
    outcomes, _, _ = run_race({"opencnpj": (0.7, found), "brasilapi": (3, found)})
    assert named(outcomes) == [("opencnpj", "Found")]


def test_all_that_came_back_together_is_kept() -> None:
    outcomes, _, _ = run_race({"opencnpj": (0.75, found), "brasilapi": (0.15, found)})
    assert sorted(named(outcomes)) == [("brasilapi", "Found"), ("opencnpj", "Found")]


def test_a_denial_asks_a_fresher_provider_first() -> None:
    _, starts, _ = run_race(
        {
            "opencnpj": (0.1, Missing),
            "brasilapi": (0.1, Missing),
            "cnpjws": (0, Missing),
            "cnpja": (0.1, found),
        }
    )
    assert starts == {"opencnpj": 0, "cnpja": 0.1}


def test_a_slow_confirmation_is_hedged_too() -> None:
    outcomes, starts, end = run_race(
        {"opencnpj": (0.1, Missing), "cnpja": (5, Missing), "receitaws": (0.5, Missing)}
    )
    assert starts == {"opencnpj": 0, "cnpja": 0.1, "receitaws": 1.0}
    assert end == 1.5
    assert is_confirmed(outcomes)


def test_a_fresher_denial_needs_a_second_voice() -> None:
    outcomes, starts, _ = run_race({"cnpja": (0.1, Missing), "opencnpj": (0.1, Missing)})
    assert starts == {"cnpja": 0, "opencnpj": 0.1}
    assert is_confirmed(outcomes)


def test_the_second_of_a_group_waits_for_the_others() -> None:
    _, starts, _ = run_race(
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
    assert is_confirmed([Missing(PROVIDERS[name]) for name in deniers]) is expected


def test_an_attempt_that_raises_stops_the_race_and_the_others() -> None:
    loop = VirtualLoop()

    async def attempt(provider: Provider) -> Outcome:
        await asyncio.sleep(1 if provider.id == "opencnpj" else 0.1)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run(race([PROVIDERS["opencnpj"], PROVIDERS["cnpja"]], attempt), loop)
    assert asyncio.all_tasks(loop) == set()
    loop.close()
