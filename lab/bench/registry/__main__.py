"""Two simulated days of 2,000 look-ups each, beside a plain strategy, and the cost of a stored answer."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from lab.bench.figure import Figure, Spread
from lab.bench.registry import stored
from lab.bench.registry.strategies import STORE_SECONDS, Ask, brskills, one_after_the_other, with_snapshot
from lab.bench.table import keep
from tests.services.scenarios import table
from tests.simulator.clock import VirtualLoop
from tests.simulator.companies import company, exists
from tests.simulator.days import DAYS, Day
from tests.simulator.server import DATES
from tests.simulator.transport import ProviderTransport

HEAD = ("day", "", "truthful", "p50", "p99", "calls per found", "calls by provider", "429", "overrun")
PLAN = DAYS["lookups"]
QUOTAS = {"cnpja": 5, "cnpjws": 3, "receitaws": 3}


class Result(NamedTuple):
    """The outcome of one look-up."""

    truthful: bool
    found: bool
    seconds: float
    calls: int


class Simulated(NamedTuple):
    """A strategy on one day: the seconds of its look-ups, sorted, and the cells of its row."""

    waits: list[float]
    cells: list[str]

    def percentile(self, percent: int) -> float:
        return self.waits[len(self.waits) * percent // 100]


def numbers() -> list[str]:
    """Return the numbers to look up, in order: new ones, some of them unknown, and repetitions."""
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


def simulate(name: str, make: Callable[[VirtualLoop, ProviderTransport], Ask]) -> Simulated:
    """Let the look-ups of a day be answered."""
    loop, transport = VirtualLoop(STORE_SECONDS), ProviderTransport()
    moods = {provider: Day(name, provider, loop.time) for provider in DAYS["days"][name]}
    for provider, mood in moods.items():
        transport.play(provider, mood)
    results = loop.run_until_complete(_all(make(loop, transport), transport))
    loop.close()
    waits = sorted(result.seconds for result in results)
    calls_of_found = [result.calls for result in results if result.calls and result.found]
    calls = Counter(provider for provider, path, _ in transport.calls if path not in DATES)
    overrun = [name for name, quota in QUOTAS.items() if _busiest_minute(transport, name) > quota]
    waited = Simulated(waits, [])
    cells = [
        f"{sum(result.truthful for result in results) / len(results):.2%}",
        f"{1000 * waited.percentile(50):.0f} ms",
        f"{waited.percentile(99):.2f} s",
        f"{sum(calls_of_found) / max(1, len(calls_of_found)):.3f}",
        ", ".join(f"{provider} {count}" for provider, count in calls.most_common()),
        str(sum(mood.refused for mood in moods.values())),
        ", ".join(overrun) or "none",
    ]
    return waited._replace(cells=cells)


async def _all(ask: Ask, transport: ProviderTransport) -> list[Result]:
    async def at(second: int, cnpj: str) -> Result:
        await asyncio.sleep(second / PLAN["per_second"])
        return await _one(ask, transport, cnpj)

    return await asyncio.gather(*(at(second, cnpj) for second, cnpj in enumerate(numbers())))


async def _one(ask: Ask, transport: ProviderTransport, cnpj: str) -> Result:
    known, start = exists("cnpja", cnpj), asyncio.get_running_loop().time()
    try:
        truthful, found = await ask(cnpj) == company(cnpj)["razao_social"] and known, True
    except CompanyNotFound:
        truthful, found = not known, False
    except SourcesUnavailable:
        truthful = found = False
    calls = sum(path.endswith(cnpj) and begun >= start for _, path, begun in transport.calls)
    return Result(truthful, found, asyncio.get_running_loop().time() - start, calls)


def _busiest_minute(transport: ProviderTransport, provider: str) -> int:
    times = [begun for name, _, begun in transport.calls if name == provider]
    return max((sum(start <= t < start + 60 for t in times) for start in times), default=0)


PLAIN = "one after the other"
STRATEGIES: dict[str, Callable[[VirtualLoop, ProviderTransport], Ask]] = {
    "brskills": brskills,
    "brskills with a copy": with_snapshot,
    PLAIN: one_after_the_other,
}


def days() -> dict[str, Figure]:
    """Keep both days of every strategy; return figures whose ratios are to the plain one."""
    rows, figures = [], {}
    for name in DAYS["days"]:
        found = {strategy: simulate(name, make) for strategy, make in STRATEGIES.items()}
        rows += [(name, strategy, *one.cells) for strategy, one in found.items()]
        plain = found.pop(PLAIN)
        for strategy, one in found.items():
            for percent in (50, 99):
                seconds = one.percentile(percent)
                ratio = Spread.exact(seconds / plain.percentile(percent))
                figures[f"{name} day, p{percent}, {strategy}"] = Figure(seconds * 1000, "ms", ratio)
    keep("days", table(HEAD, rows))
    return figures


def measure(rounds: int = stored.ROUNDS) -> dict[str, Figure]:
    """Measure and keep; ``rounds``: of the stored answers."""
    figures = stored.measure(rounds)
    floor, whole, copied, _ = (one.value for one in figures.values())
    keep(
        "stored",
        f"Stored answer: {whole:.1f} ms in the whole handler, {floor:.1f} ms at the floor: "
        f"{figures['stored'].times} times. From the snapshot: {copied:.1f} ms, {copied / whole:.2f} times a "
        "stored answer.",
    )
    return figures | days()


if __name__ == "__main__":
    measure()
