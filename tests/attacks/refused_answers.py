"""The demo key asks again and again for one number whose answer our own reading refuses."""

from __future__ import annotations

from collections.abc import Iterator

from tests.attacks.caller import Answer, Caller, flood
from tests.attacks.outcome import Check, Outcome
from tests.attacks.providers import REFUSED, play_for, source_calls
from tests.attacks.target import DEMO_KEY, Context
from tests.simulator import Simulator

CALLS_A_MINUTE = 2  # of one number that fails: it is remembered for a minute, in each of two processes


def attack(context: Context) -> Iterator[Outcome]:
    for name, (number, fault) in REFUSED.items():
        outcome = Outcome("refused_answers", f"six threads of the demo key ask for one number: {name}")

        def ask(caller: Caller, _: int, number: str = number) -> Answer:
            return caller.post("/api/v1/skills/cnpj", {"cnpj": number, "idade_maxima": 0})

        with Simulator() as providers, context.serving(providers) as target:
            play_for(providers, number, fault)
            with target.beside_others(outcome):
                tally = flood(target.port, DEMO_KEY, ask, seconds=context.seconds)
            calls = source_calls(providers, number)
        outcome.spent |= {"answers": str(tally), "bytes out": tally.bytes_out, "source calls": calls}
        most = len(providers.urls) * CALLS_A_MINUTE
        outcome.checks.append(Check("source calls for the number", calls, most=most))
        yield outcome
