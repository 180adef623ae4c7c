"""Random schedules of calls whose store fails before or after its writes."""

from __future__ import annotations

from collections.abc import Iterator

from tests.attacks.inside_run import run_inside
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context
from tests.simulator import Simulator

SCHEDULES = 1_200


def attack(context: Context) -> Iterator[Outcome]:
    with Simulator() as providers:
        urls = [f"{name.upper()}_URL={url}" for name, url in providers.urls.items()]
        only = "REGISTRY_PROVIDERS=opencnpj,brasilapi"
        found = run_inside(context, "releases", str(SCHEDULES), "releases", only, *urls)
    outcome = Outcome("releases", f"{SCHEDULES:,} random schedules, faults before and after writes")
    outcome.spent = {"given away": found["given_away"], "counted too often": found["overcounted"]}
    outcome.spent["examples"] = str(found["examples"])
    outcome.checks = [
        Check("schedules with fewer counted than answered", found["given_away"], most=0),
        Check("schedules with more counted than made", found["overcounted"], most=0),
    ]
    yield outcome
