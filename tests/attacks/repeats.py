"""One ``Idempotency-Key``, five hundred times, each with a demand for a fresh look-up."""

from __future__ import annotations

from collections.abc import Iterator

from tests.attacks.caller import Answer, Caller, flood
from tests.attacks.outcome import Check, Outcome
from tests.attacks.providers import source_calls
from tests.attacks.target import Context
from tests.simulator import Simulator
from tests.simulator.companies import numbers

TIMES = 500
CALLS_OF_ONE_LOOK_UP = 3  # the first source, and those that are asked where it is slow


def attack(context: Context) -> Iterator[Outcome]:
    outcome = Outcome("repeats", f"{TIMES} times the same Idempotency-Key with idade_maxima 0")
    number = numbers("42000000", 1)[0]

    def ask(caller: Caller, _: int) -> Answer:
        content = {"cnpj": number, "idade_maxima": 0}
        return caller.post("/api/v1/skills/cnpj", content, Idempotency_Key="the-same")

    with Simulator() as providers, context.serving(providers) as target:
        key = target.new_key("free")
        tally = flood(target.port, key, ask, threads=2, seconds=60, most=1)
        tally = flood(target.port, key, ask, seconds=60, most=TIMES - 1)
        counted, calls = target.counted(key), source_calls(providers, number)
    outcome.spent = {"answers": str(tally), "source calls": calls, "calls counted": counted}
    outcome.checks = [
        Check("calls counted", counted, most=1, least=1),
        Check("source calls for each counted call", calls / max(1, counted), most=CALLS_OF_ONE_LOOK_UP),
    ]
    yield outcome
