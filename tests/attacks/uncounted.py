"""Work of a free account that is never counted, at full speed: how much of it is served."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.attacks.caller import Answer, Caller, Tally, flood
from tests.attacks.others import CODE
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context
from tests.simulator import Simulator

Ask = Callable[[Caller, int], Answer]

BRCODE = {"brcode": "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000" * 20}
QUESTIONS = 6_000
"""Of each kind, where the time allows: more than two minutes of the free plan's allowance."""
SECONDS = 40
REFUSED = ("uncounted_limit", "throttled")

KINDS: dict[str, Ask] = {
    "decode": lambda caller, _: caller.post("/api/v1/skills/pix/decode", BRCODE),
    "422": lambda caller, _: caller.post("/api/v1/skills/pix", {"chave": "x", "valor": -1}),
    "usage": lambda caller, _: caller.get("/api/v1/usage"),
    "sandbox": lambda caller, _: caller.get("/api/v1/skills/cnpj/SANDBOX1000170"),
    "replays": lambda caller, _: caller.post("/api/v1/skills/pix", CODE, Idempotency_Key="same"),
    "wrong batches": lambda caller, _: caller.post("/api/v1/skills/pix/lote", {"itens": [{}] * 100}),
    "MCP decode": lambda caller, _: caller.post(
        "/mcp",
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "decode_pix_code", "arguments": BRCODE},
        },
    ),
}


def attack(context: Context) -> Iterator[Outcome]:
    """Open an account for each kind, so that one allowance does not hide another's lack."""
    outcome = Outcome("uncounted", f"{QUESTIONS:,} questions of each kind of uncounted work")
    with Simulator() as providers, context.serving(providers, WORKERS="1") as target:
        keys = {name: target.new_key("free") for name in KINDS}
        found: dict[str, Tally] = {}
        with target.beside_others(outcome):
            for name, ask in KINDS.items():
                found[name] = flood(target.port, keys[name], ask, seconds=SECONDS, most=QUESTIONS)
        counted = {name: target.counted(key) for name, key in keys.items()}
    for name, tally in found.items():
        served = tally.sent - tally.statuses[429] - tally.statuses[0]
        outcome.spent[name] = f"{served} of {tally.sent} served"
        refused = sum(tally.codes[code] for code in REFUSED)
        outcome.checks.append(Check(f"{name}: refused by an allowance", refused, least=1))
    outcome.spent["calls counted"] = sum(counted.values())
    yield outcome
