"""Callers who do not pay for it spend the day's paid look-ups with a demand that no answer can meet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from tests.attacks.caller import Answer, Caller, flood
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import DEMO_KEY, Context, Target
from tests.simulator import Simulator
from tests.simulator.companies import numbers
from tests.simulator.paid import TOKENS

QUESTIONS, PER_DAY = 130, 100
A_TENTH = PER_DAY // 10
FREE_ACCOUNTS = 3
PAID_DAY = date(2026, 11, 19)  # of the data that the simulated paid address has


def attack(context: Context) -> Iterator[Outcome]:
    """The demo key, free accounts, then one paying account: by a demand on the data and on the answer."""
    for name, most in (("demo", 0), ("free", 0), ("pro", A_TENTH)):
        with _serving(context) as (providers, target):
            keys = [DEMO_KEY] if name == "demo" else [target.new_key(name)]
            keys += [target.new_key("free") for _ in range(FREE_ACCOUNTS - 1) if name == "free"]
            served = [_is_served(target)] if name == "pro" else []
            providers.calls.clear()
            outcome = _spend(target, providers, name, keys, most)
            outcome.checks += served
            yield outcome


def _is_served(target: Target) -> Check:
    """Whether who pays gets fresher data than the dumps have: else nothing would be paid for at all."""
    content = {"cnpj": numbers("49000000", 1)[0], "idade_dados_maxima": (date.today() - PAID_DAY).days + 1}
    answer = target.caller(target.new_key("pro")).post("/api/v1/skills/cnpj", content)
    return Check("a paying account is served by a paid address", int(answer.status == 200), least=1)


@contextmanager
def _serving(context: Context) -> Iterator[tuple[Simulator, Target]]:
    tokens = {f"{name.upper()}_TOKEN": token for name, token in TOKENS.items()}
    with (
        Simulator() as providers,
        context.serving(providers, PAID_LOOKUPS_PER_DAY=str(PER_DAY), **tokens) as target,
    ):
        yield providers, target


def _spend(target: Target, providers: Simulator, name: str, keys: list[str], most: int) -> Outcome:
    outcome = Outcome("paid", f"{QUESTIONS} questions of {len(keys)} {name} callers for data of today")
    seen = []
    for which, key in enumerate(keys):

        def ask(caller: Caller, number: int, which: int = which) -> Answer:
            cnpj = numbers(f"{41_000_000 + 1000 * which + number}", 1)[0]
            return caller.post("/api/v1/skills/cnpj", {"cnpj": cnpj, "idade_dados_maxima": 0})

        tally = flood(target.port, key, ask, seconds=60, most=QUESTIONS // len(keys))
        seen.append(str(tally))
    spent = sum(provider.endswith(":paid") for provider, _ in providers.calls)
    counted = sum(target.counted(key) for key in keys)
    outcome.spent = {"answers": "; ".join(seen), "paid calls": spent, "calls counted": counted}
    outcome.checks = [
        Check(f"paid calls by {name}", spent, most=most),
        Check("paid calls for what is not counted", max(0, spent - len(TOKENS) * counted), most=0),
    ]
    return outcome
