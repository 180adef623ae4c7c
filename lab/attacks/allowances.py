"""Attacks on allowances: of networks, of proxies, of uncounted work."""

from collections.abc import Callable, Iterator

from lab.attacks.caller import Answer, Caller, Tally, flood
from lab.attacks.others import CODE
from lab.attacks.outcome import Check, Outcome
from lab.attacks.target import DEMO_KEY, Context
from tests.simulator import Simulator

PIX = "/api/v1/skills/pix"
NETWORKS, CALLS = 32, 2
SHARE = 0.5
"""Of what as many separate callers would get: a /48 has an allowance that is larger, but limited."""


def networks(context: Context) -> Iterator[Outcome]:
    """Calls by the demo key, then sign-ups, from one IPv6 /48, which has 65,536 networks of one caller."""
    settings = {
        "TRUSTED_PROXIES": "127.0.0.1",
        "DEMO_MONTHLY_LIMIT": str(CALLS),
        "SIGNUPS_PER_DAY": str(CALLS),
    }

    def address(number: int) -> str:
        """Return one of the /64 of a /48; from 2²⁰ on of another /48."""
        return f"2001:db8:{number >> 20:x}:{number % NETWORKS:x}::1"

    def call(caller: Caller, number: int) -> Answer:
        return caller.post(PIX, CODE, X_Forwarded_For=address(number))

    def sign_up(caller: Caller, number: int) -> Answer:
        return caller.post("/api/v1/keys", {}, X_Forwarded_For=address(number))

    with context.serving(**settings) as target:
        for name, key, ask in (("calls of the demo key", DEMO_KEY, call), ("sign-ups", "", sign_up)):
            tally = flood(target.port, key, ask, seconds=60, most=NETWORKS * CALLS)
            other = ask(target.caller(key), NETWORKS * CALLS + (1 << 20))
            given = tally.statuses[200] + tally.statuses[201]
            outcome = Outcome("networks", f"{name} from {NETWORKS} /64 of one /48, {CALLS} each")
            outcome.spent = {"answers": str(tally), "another /48 afterwards": other.status}
            outcome.checks = [
                Check("given to one /48", given, most=NETWORKS * CALLS * SHARE),
                Check("another /48 is answered", int(other.status in {200, 201}), least=1),
            ]
            yield outcome


LIMIT = 5
INVALID = ("unknown", "_hidden", "999.1.1.1", "203.0.113.7x", "x" * 100)


def forwarded(context: Context) -> Iterator[Outcome]:
    """Invalid addresses in ``X-Forwarded-For`` do not share an allowance between trusted proxies."""
    settings = {"TRUSTED_PROXIES": "127.0.0.0/8", "DEMO_MONTHLY_LIMIT": str(LIMIT)}
    with context.serving(**settings) as target:

        def status(proxy: int, address: str) -> int:
            caller = target.caller(DEMO_KEY, source=f"127.0.0.{proxy}")
            return caller.post(PIX, CODE, X_Forwarded_For=address).status

        spent = [status(2, INVALID[0]) for _ in range(2 * LIMIT)]
        seen = [status(10 + place, address) for place, address in enumerate(INVALID)]
    did = f"one allowance spent under an invalid address, {len(INVALID)} other proxies"
    outcome = Outcome("forwarded", did)
    outcome.spent = {"attacker": str(spent), "others": str(seen)}
    outcome.checks = [
        Check("others without an allowance", seen.count(429), most=0),
        Check("calls of the attacker", spent.count(200), most=LIMIT, least=LIMIT),
    ]
    yield outcome


BRCODE = {"brcode": "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000" * 20}
DECODE = {"name": "decode_pix_code", "arguments": BRCODE}
MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": DECODE}
QUESTIONS, SECONDS = 6_000, 40
"""Of each kind, where the time allows: more than two minutes of the free plan's allowance."""

KINDS: dict[str, Callable[[Caller, int], Answer]] = {
    "decode": lambda caller, _: caller.post(f"{PIX}/decode", BRCODE),
    "422": lambda caller, _: caller.post(PIX, {"chave": "x", "valor": -1}),
    "usage": lambda caller, _: caller.get("/api/v1/usage"),
    "sandbox": lambda caller, _: caller.get("/api/v1/skills/cnpj/SANDBOX1000170"),
    "replays": lambda caller, _: caller.post(PIX, CODE, Idempotency_Key="same"),
    "wrong batches": lambda caller, _: caller.post(f"{PIX}/lote", {"itens": [{}] * 100}),
    "MCP decode": lambda caller, _: caller.post("/mcp", MESSAGE),
}


def uncounted(context: Context) -> Iterator[Outcome]:
    """Uncounted work at full speed; an account for each kind, so that no allowance hides another's lack."""
    outcome = Outcome("uncounted", f"{QUESTIONS:,} questions of each kind of uncounted work")
    with Simulator() as providers, context.serving(providers, WORKERS="1") as target:
        keys = {name: target.new_key("free") for name in KINDS}
        found: dict[str, Tally] = {}
        with target.beside_others(outcome):
            for name, ask in KINDS.items():
                found[name] = flood(target.port, keys[name], ask, seconds=SECONDS, most=QUESTIONS)
        counted = sum(target.counted(key) for key in keys.values())
    for name, tally in found.items():
        sent, refused = tally.statuses.total(), tally.codes["uncounted_limit"] + tally.codes["throttled"]
        outcome.spent[name] = f"{sent - refused - tally.statuses[0]} of {sent} served"
        outcome.checks.append(Check(f"{name}: refused by an allowance", refused, least=1))
    outcome.spent["calls counted"] = counted
    yield outcome
