"""Invalid addresses in ``X-Forwarded-For``, by which callers of different proxies share one allowance."""

from __future__ import annotations

from collections.abc import Iterator

from tests.attacks.others import CODE
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import DEMO_KEY, Context

LIMIT = 5
INVALID = ("unknown", "_hidden", "999.1.1.1", "203.0.113.7x", "x" * 100)
THROTTLED = 429


def attack(context: Context) -> Iterator[Outcome]:
    """The attacker's and the others' proxies are different peers, all of them trusted."""
    settings = {"TRUSTED_PROXIES": "127.0.0.0/8", "DEMO_MONTHLY_LIMIT": str(LIMIT)}
    with context.serving(**settings) as target:
        attacker = target.caller(DEMO_KEY, source="127.0.0.2")
        spent = [
            attacker.post("/api/v1/skills/pix", CODE, X_Forwarded_For=INVALID[0]).status
            for _ in range(2 * LIMIT)
        ]
        seen = [
            target.caller(DEMO_KEY, source=f"127.0.0.{10 + place}")
            .post("/api/v1/skills/pix", CODE, X_Forwarded_For=address)
            .status
            for place, address in enumerate(INVALID)
        ]
    outcome = Outcome(
        "forwarded", f"one allowance spent under an invalid address, {len(INVALID)} other proxies"
    )
    outcome.spent = {"attacker": str(spent), "others": str(seen)}
    outcome.checks = [Check("others without an allowance", seen.count(THROTTLED), most=0)]
    yield outcome
