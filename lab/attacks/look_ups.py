"""Look-ups that cost more than they count."""

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import cache
from typing import Any

from lab.attacks.caller import Answer, Caller, flood
from lab.attacks.outcome import Check, Outcome
from lab.attacks.target import DEMO_KEY, Context, Target
from lab.bench.months import month_in
from tests.simulator import PROVIDERS, Simulator
from tests.simulator.companies import company, numbers
from tests.simulator.dialects import DIALECTS
from tests.simulator.paid import TOKENS
from tests.simulator.replies import FAULTS, Fault, Reply, truth

CNPJ = "/api/v1/skills/cnpj"
BAD, LETTERS = (numbers(root, 1)[0] for root in ("77000000", "77ABC000"))
PARTNERS = 6_000


@cache
def _crowded(provider: str, cnpj: str) -> Reply:
    record = company(cnpj)
    first = record["socios"][0]
    partners = [{**first, "nome": f"SOCIO {n}"} for n in range(PARTNERS)]
    return Reply(200, json.dumps(DIALECTS[provider]({**record, "socios": partners})).encode())


REFUSED: dict[str, tuple[str, Fault]] = {
    "empty name": (BAD, FAULTS["empty-name"]),
    f"{PARTNERS:,} partners": (BAD, _crowded),
    "HTML on 404, letters": (LETTERS, FAULTS["html-404"]),
}
"""Answers that the service refuses, each with the number that gets it."""


def _play_for(providers: Simulator, number: str, fault: Fault) -> None:
    """Let every source reply with a fault for one number, and right for all others."""

    def reply(provider: str, cnpj: str) -> Reply:
        return fault(provider, cnpj) if cnpj == number else truth(provider, cnpj)

    for provider in PROVIDERS:
        fault(provider, number)  # a large one is made once, and not while others wait for this process
        providers.play(provider, reply)


def _source_calls(providers: Simulator, number: str) -> int:
    return sum(number in path for _, path in providers.calls)


def _asking(number: str, **fields: Any) -> Callable[[Caller, int], Answer]:
    return lambda caller, _: caller.post(CNPJ, {"cnpj": number, "idade_maxima": 0, **fields})


CALLS_A_MINUTE = 2  # of one number that fails: it is remembered for a minute, in each of two processes


def refused_answers(context: Context) -> Iterator[Outcome]:
    """Six threads of the demo key look up one number whose answer the service refuses."""
    for name, (number, fault) in REFUSED.items():
        outcome = Outcome("refused_answers", f"six threads of the demo key ask for one number: {name}")
        with Simulator() as providers, context.serving(providers) as target:
            _play_for(providers, number, fault)
            with target.beside_others(outcome):
                tally = flood(target.port, DEMO_KEY, _asking(number), seconds=context.seconds)
            calls = _source_calls(providers, number)
        outcome.spent |= {"answers": str(tally), "bytes out": tally.bytes_out, "source calls": calls}
        most = len(providers.urls) * CALLS_A_MINUTE
        outcome.checks.append(Check("source calls for the number", calls, most=most))
        yield outcome


LEAST_AVAILABLE = 0.99
GOOD_CALLS = 500
WRITTEN_SECONDS = 35.0  # each worker writes its counts twice a minute


def availability(context: Context) -> Iterator[Outcome]:
    """The demo key, then a free account look up one failing number, after calls that were answered."""
    number, fault = next(iter(REFUSED.values()))

    def good(caller: Caller, number: int) -> Answer:
        return caller.get(f"{CNPJ}/{numbers(f'{43_000_000 + number}', 1)[0]}")

    for name in ("demo", "free"):
        outcome = Outcome("availability", f"the {name} caller asks for one failing number")
        sla = {"SLA_URL": "https://brskills.example/sla"}
        with Simulator() as providers, context.serving(providers, **sla) as target:
            _play_for(providers, number, fault)
            flood(target.port, target.new_key("enterprise"), good, seconds=30, most=GOOD_CALLS)
            key = DEMO_KEY if name == "demo" else target.new_key(name)
            tally = flood(target.port, key, _asking(number), seconds=context.seconds)
            time.sleep(WRITTEN_SECONDS)
            status = target.caller().get("/api/v1/status", Cache_Control="no-cache").content
        figure = float(status["sla"]["disponibilidade"] or 0)
        outcome.spent = {"answers": str(tally), "availability": figure}
        outcome.checks = [Check("availability that /status gives", figure, least=LEAST_AVAILABLE)]
        yield outcome


def searches(context: Context) -> Iterator[Outcome]:
    """Two free accounts search for twenty long words that no name has, from twelve threads each."""

    def ask(caller: Caller, number: int) -> Answer:
        words = [hashlib.shake_128(f"{number}.{n}".encode()).hexdigest(20) for n in range(20)]
        return caller.post(f"{CNPJ}/busca", {"nome": words})

    outcome = Outcome("searches", "twenty long misspelt words of two free accounts, twelve threads each")
    copy = context.new_folder() / "copy"
    month_in(copy)
    with Simulator() as providers, context.serving(providers, REGISTRY_COPY=str(copy)) as target:
        keys = [target.new_key("free") for _ in range(2)]
        with target.beside_others(outcome), ThreadPoolExecutor(len(keys)) as attackers:
            floods = [
                attackers.submit(flood, target.port, key, ask, threads=12, seconds=context.seconds)
                for key in keys
            ]
            tallies = [each.result() for each in floods]
    outcome.spent["answers"] = "; ".join(map(str, tallies))
    failed = sum(count for each in tallies for status, count in each.statuses.items() if status >= 500)
    outcome.checks.append(Check("searches booked as failures", failed, most=0))
    yield outcome


QUESTIONS, PER_DAY = 130, 100
FREE_ACCOUNTS = 3
PAID_DAY = date(2026, 11, 19)  # of the data of the simulated paid address


def paid(context: Context) -> Iterator[Outcome]:
    """The demo key, free accounts, then one paying account demand data that no source has."""
    tokens = {f"{name.upper()}_TOKEN": token for name, token in TOKENS.items()}
    settings = {"PAID_LOOKUPS_PER_DAY": str(PER_DAY), **tokens}
    for name, most in (("demo", 0), ("free", 0), ("pro", PER_DAY // 10)):
        with Simulator() as providers, context.serving(providers, **settings) as target:
            accounts = FREE_ACCOUNTS if name == "free" else 1
            keys = [DEMO_KEY if name == "demo" else target.new_key(name) for _ in range(accounts)]
            served = [_served_by_paid_address(target)] if name == "pro" else []
            providers.calls.clear()
            outcome = _spend(target, providers, name, keys, most)
            outcome.checks += served
            yield outcome


def _served_by_paid_address(target: Target) -> Check:
    age = (date.today() - PAID_DAY).days + 1
    content = {"cnpj": numbers("49000000", 1)[0], "idade_dados_maxima": age}
    answer = target.caller(target.new_key("pro")).post(CNPJ, content)
    return Check("a paying account is served by a paid address", int(answer.status == 200), least=1)


def _spend(target: Target, providers: Simulator, name: str, keys: list[str], most: int) -> Outcome:
    outcome = Outcome("paid", f"{QUESTIONS} questions of {len(keys)} {name} callers for data of today")
    seen = []
    for which, key in enumerate(keys):

        def ask(caller: Caller, number: int, which: int = which) -> Answer:
            cnpj = numbers(f"{41_000_000 + 1000 * which + number}", 1)[0]
            return caller.post(CNPJ, {"cnpj": cnpj, "idade_dados_maxima": 0})

        seen.append(str(flood(target.port, key, ask, seconds=60, most=QUESTIONS // len(keys))))
    spent = sum(provider.endswith(":paid") for provider, _ in providers.calls)
    counted = sum(target.counted(key) for key in keys)
    outcome.spent = {"answers": "; ".join(seen), "paid calls": spent, "calls counted": counted}
    outcome.checks = [
        Check(f"paid calls by {name}", spent, most=most),
        Check("paid calls for what is not counted", max(0, spent - len(TOKENS) * counted), most=0),
    ]
    return outcome
