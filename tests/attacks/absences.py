"""A free account asks who is paid by keys of companies that do not exist, and nothing confirms it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.attacks.caller import Answer, Caller, flood
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context
from tests.simulator import Simulator
from tests.simulator.companies import numbers

TIMES, ALLOWANCE = 300, 50
DUMPS = "opencnpj,brasilapi"  # monthly dumps confirm no absence


def attack(context: Context) -> Iterator[Outcome]:
    outcome = Outcome("absences", f"{TIMES} times pix/conferir of absent companies, allowance {ALLOWANCE}")
    absent = numbers("99000000", TIMES)

    def ask(caller: Caller, number: int) -> Answer:
        return caller.post("/api/v1/skills/pix/conferir", {"chave": absent[number], "tipo_chave": "cnpj"})

    with Simulator() as providers, context.serving(providers, REGISTRY_PROVIDERS=DUMPS) as target:
        key = target.new_key("free")
        tally = flood(target.port, key, ask, seconds=60, most=TIMES)
        counted = target.counted(key)
    served = tally.statuses[200] + tally.statuses[404]
    outcome.spent = {"answers": str(tally), "calls counted": counted}
    outcome.checks = [Check("answered without being counted", served - counted, most=ALLOWANCE)]
    yield outcome
