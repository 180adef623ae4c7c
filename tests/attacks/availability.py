"""The public availability figure after the demo key has asked for one failing number for a while."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.attacks.caller import Answer, Caller, flood
from tests.attacks.outcome import Check, Outcome
from tests.attacks.providers import REFUSED, play_for
from tests.attacks.target import DEMO_KEY, Context, Target
from tests.simulator import Simulator
from tests.simulator.companies import numbers

LEAST = 0.99
GOOD_CALLS = 500
WRITTEN_SECONDS = 35.0  # each worker writes its counts twice a minute


def attack(context: Context) -> Iterator[Outcome]:
    """By the demo key, then by a free account; calls of an honest account were answered before."""
    number, fault = next(iter(REFUSED.values()))

    def ask(caller: Caller, _: int) -> Answer:
        return caller.post("/api/v1/skills/cnpj", {"cnpj": number, "idade_maxima": 0})

    def good(caller: Caller, number: int) -> Answer:
        return caller.get(f"/api/v1/skills/cnpj/{numbers(f'{43_000_000 + number}', 1)[0]}")

    for name in ("demo", "free"):
        outcome = Outcome("availability", f"the {name} caller asks for one failing number")
        sla = {"SLA_URL": "https://brskills.example/sla"}
        with Simulator() as providers, context.serving(providers, **sla) as target:
            play_for(providers, number, fault)
            flood(target.port, target.new_key("enterprise"), good, seconds=30, most=GOOD_CALLS)
            key = DEMO_KEY if name == "demo" else target.new_key(name)
            tally = flood(target.port, key, ask, seconds=context.seconds)
            figure = _figure(target)
        outcome.spent = {"answers": str(tally), "availability": figure}
        outcome.checks = [Check("availability that /status gives", figure, least=LEAST)]
        yield outcome


def _figure(target: Target) -> float:
    """The figure once every worker has written its counts; 0 where none is given."""
    time.sleep(WRITTEN_SECONDS)
    status = target.caller().get("/api/v1/status", Cache_Control="no-cache").content
    return float(status["sla"]["disponibilidade"] or 0)
