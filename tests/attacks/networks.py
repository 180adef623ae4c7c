"""One IPv6 /48, which has 65,536 networks of the size that a single caller has."""

from __future__ import annotations

from collections.abc import Iterator

from tests.attacks.caller import Answer, Caller, flood
from tests.attacks.others import CODE
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import DEMO_KEY, Context

NETWORKS, CALLS = 256, 2
SHARE = 0.5
"""Of what as many callers of their own would get: a /48 has an allowance that is larger, but has an end."""


def attack(context: Context) -> Iterator[Outcome]:
    """Calls by the demo key, then sign-ups."""
    settings = {
        "TRUSTED_PROXIES": "127.0.0.1",
        "DEMO_MONTHLY_LIMIT": str(CALLS),
        "SIGNUPS_PER_DAY": str(CALLS),
    }

    def call(caller: Caller, number: int) -> Answer:
        return caller.post("/api/v1/skills/pix", CODE, X_Forwarded_For=_address(number))

    def sign_up(caller: Caller, number: int) -> Answer:
        return caller.post("/api/v1/keys", {}, X_Forwarded_For=_address(number))

    for name, key, ask in (("calls of the demo key", DEMO_KEY, call), ("sign-ups", "", sign_up)):
        with context.serving(**settings) as target:
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


def _address(number: int) -> str:
    """One of the /64 of a /48; from 2²⁰ on of another /48."""
    return f"2001:db8:{number >> 20:x}:{number % NETWORKS:x}::1"
