"""Two days of 2,000 look-ups each, in simulated time: ours beside two plain ways.

One look-up a second; half for companies asked before; two in a hundred for numbers that belong to
nobody. Every wait is the code's own. ``--markdown`` prints the table as the documentation has it.
"""

import argparse
import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from registry import CompanyNotFound, SourcesUnavailable
from tests.bench.registry.contenders import DEFAULT_ORDER, LookUp, ours, plain
from tests.simulator.clock import VirtualLoop
from tests.simulator.companies import company, exists
from tests.simulator.days import DAYS, Day
from tests.simulator.server import DATES
from tests.simulator.transport import ProviderTransport

PLAN = DAYS["lookups"]
QUOTAS = {"cnpja": 5, "cnpjws": 3, "receitaws": 3}


@dataclass(frozen=True)
class Result:
    """What became of one look-up."""

    truthful: bool
    found: bool
    seconds: float
    calls: int


def numbers() -> list[str]:
    """The numbers asked for, in their order: new ones, some of them nobody's, and repetitions."""
    chance = random.Random(DAYS["seed"])
    count = PLAN["count"]
    old = round(count * PLAN["share_asked_before"])
    unknown = round(count * PLAN["share_unknown_company"])
    kinds = ["old"] * old + ["unknown"] * unknown + ["new"] * (count - old - unknown)
    chance.shuffle(kinds)
    asked: list[str] = []
    for place, kind in enumerate(kinds):
        fresh = f"{'99' if kind == 'unknown' else '11'}{place:06}000100"
        asked.append(chance.choice(asked) if kind == "old" and asked else fresh)
    return asked


def day(name: str, make: Callable[[VirtualLoop, ProviderTransport], LookUp]) -> dict[str, object]:
    """One contender's day."""
    loop, transport = VirtualLoop(), ProviderTransport()
    moods = {provider: Day(name, provider, loop.time) for provider in DAYS["days"][name]}
    for provider, mood in moods.items():
        transport.play(provider, mood)
    look_up = make(loop, transport)
    results = loop.run_until_complete(_all(look_up, transport))
    loop.close()
    return _summary(results, transport, moods)


async def _all(look_up: LookUp, transport: ProviderTransport) -> list[Result]:
    async def at(second: int, cnpj: str) -> Result:
        await asyncio.sleep(second / PLAN["per_second"])
        return await _one(look_up, transport, cnpj)

    return await asyncio.gather(*(at(second, cnpj) for second, cnpj in enumerate(numbers())))


async def _one(look_up: LookUp, transport: ProviderTransport, cnpj: str) -> Result:
    known, start = exists("cnpja", cnpj), asyncio.get_running_loop().time()
    try:
        truthful, found = await look_up(cnpj) == company(cnpj)["razao_social"] and known, True
    except CompanyNotFound:
        truthful, found = not known, False
    except SourcesUnavailable:
        truthful = found = False
    calls = sum(path.endswith(cnpj) and begun >= start for _, path, begun in transport.calls)
    return Result(truthful, found, asyncio.get_running_loop().time() - start, calls)


def _summary(
    results: Sequence[Result], transport: ProviderTransport, moods: dict[str, Day]
) -> dict[str, object]:
    waits = sorted(result.seconds for result in results)
    asking = [result.calls for result in results if result.calls and result.found]
    calls = Counter(provider for provider, path, _ in transport.calls if path not in DATES)
    return {
        "truthful": sum(result.truthful for result in results) / len(results),
        "p50": waits[len(waits) // 2],
        "p99": waits[len(waits) * 99 // 100],
        "calls_each": sum(asking) / max(1, len(asking)),
        "calls": calls,
        "overrun": [p for p, quota in QUOTAS.items() if _busiest_minute(transport, p) > quota],
        "refused": sum(mood.refused for mood in moods.values()),
    }


def _busiest_minute(transport: ProviderTransport, provider: str) -> int:
    times = [begun for name, _, begun in transport.calls if name == provider]
    return max((sum(start <= t < start + 60 for t in times) for start in times), default=0)


CONTENDERS: dict[str, Callable[[VirtualLoop, ProviderTransport], LookUp]] = {
    "brskills": ours,
    "BrasilAPI alone": lambda loop, transport: plain(loop, transport, ["brasilapi"]),
    "one after the other": lambda loop, transport: plain(loop, transport, DEFAULT_ORDER),
}
HEAD = ("day", "", "truthful", "p50", "p99", "calls per found", "calls by provider", "429", "quota overrun")


def rows() -> list[tuple[str, ...]]:
    """The table, line by line."""
    table = []
    for name in DAYS["days"]:
        for contender, make in CONTENDERS.items():
            s = day(name, make)
            calls = ", ".join(f"{provider} {n}" for provider, n in s["calls"].most_common())  # type: ignore[attr-defined]
            table.append(
                (
                    name,
                    contender,
                    f"{s['truthful']:.2%}",
                    f"{1000 * s['p50']:.0f} ms",  # type: ignore[operator]
                    f"{s['p99']:.2f} s",
                    f"{s['calls_each']:.3f}",
                    calls,
                    str(s["refused"]),
                    ", ".join(s["overrun"]) or "none",  # type: ignore[arg-type]
                )
            )
    return table


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    began = time.perf_counter()
    table = rows()
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD))
    for row in table:
        print("| " + " | ".join(row) + " |")
    print(f"\nSimulated in {time.perf_counter() - began:.0f} s.")


if __name__ == "__main__":
    main()
