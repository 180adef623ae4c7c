"""The cost of calls on AWS: ``python -m lab.bench.bill`` measures it for docs/operate/costs.md.

Measured here: requests to the store, bytes of log lines and answers, and the handlers' time over a store that
takes next to none (``lab.bench.registry.canned``). Assumed: what ``ASSUMED`` says. Prices: ``USD``.
"""

import contextlib
import importlib
import io
import json
import math
import statistics
import time
from collections import Counter
from typing import Any, NamedTuple

from lab.bench.figure import Figure
from lab.bench.registry.stored import canned_dynamodb
from lab.bench.starts.events import first_events
from lab.bench.table import DOCS, keep
from tests.services.scenarios import table

ROUNDS = 300
MONTH = 2_628_000  # seconds

USD = {
    "request of the gateway": 3.50e-6,
    "request beyond 333 million": 2.80e-6,
    "request beyond a billion": 2.38e-6,
    "start of a function": 0.20e-6,
    "GB and second of a function": 0.0000133334,
    "unit written": 0.625e-6,
    "unit read": 0.125e-6,
    "GB of logs": 0.50,
    "GB sent": 0.09,
    "GB restored": 0.0001397998,
    "GB and second of a snapshot": 0.0000015046,
    "metrics, alarms, dashboard": 21.90 + 4.10 + 3.00,
    "GB of a file system": 0.30,
}
"""List prices of us-east-1, arm64, without free tiers, as known in November 2026."""

ASSUMED = {
    "ms the store takes": 5.0,
    "processor of a function of 1 GB": 1024 / 1769,
    "bytes that Lambda itself logs": 330,
    "calls for each run of the authorizer": 10,
    "calls for each environment that begins": 1000,
    "ms a search takes in its function": 15.0,
    "ms its invocation adds": 15.0,
    "GB of that function": 1769 / 1024,
    "rows of a page": 50,
    "bytes of a page": 8_000,
    "GB of two months' indexes": 2 * 73e6 * 53 / 1e9,
}


class Run(NamedTuple):
    """One run of a function: milliseconds billed, units of the store, bytes."""

    billed: int
    reads: int
    writes: int
    logged: int
    sent: int

    @property
    def parts(self) -> dict[str, float]:
        """USD of the function and its requests, at 1 GB of memory."""
        seconds = self.billed / 1000
        return {
            "function": USD["start of a function"] + seconds * USD["GB and second of a function"],
            "restores": USD["GB restored"] / ASSUMED["calls for each environment that begins"],
            "store": self.reads * USD["unit read"] + self.writes * USD["unit written"],
            "logs": self.logged / 1e9 * USD["GB of logs"],
            "sent": self.sent / 1e9 * USD["GB sent"],
        }

    @property
    def cost(self) -> float:
        return sum(self.parts.values())


def measure() -> dict[str, Figure]:
    """Measure and keep; the figures are the parts of a million calls that depend on our code."""
    settings = {
        "STORE": "dynamodb",
        "AWS_LAMBDA_FUNCTION_NAME": "bench",
        "POWERTOOLS_METRICS_NAMESPACE": "brskills",
        "POWERTOOLS_SERVICE_NAME": "brskills",
        "POWERTOOLS_LOG_LEVEL": "INFO",
    }
    with canned_dynamodb(**settings):
        events = first_events()
        runs = {name: run_of(name, events[name]) for name in ("authorizer", "pix", "cnpj")}
    keep("million", _table_of_a_million(runs), DOCS / "operate/costs.md")
    keep("search-cost", _table_of_searches(runs), DOCS / "operate/costs.md")
    keep("rates", _table_of_rates(runs), DOCS / "operate/costs.md")
    return {name: Figure(one.cost * 1e6, "USD a million") for name, one in runs.items()}


def run_of(name: str, event: dict[str, Any]) -> Run:
    """A warm run of a function, at the median; each store request is a unit, for none here is larger."""
    from botocore.httpsession import URLLib3Session

    asked: Counter[str] = Counter()
    send = URLLib3Session.send

    def noted(session: Any, request: Any) -> Any:
        asked[request.headers["X-Amz-Target"].decode().rpartition(".")[2]] += 1
        return send(session, request)

    times, logged = [], []
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        handler = importlib.import_module(f"functions.{name}.app").handler
        handler(event, None)
        URLLib3Session.send = noted  # type: ignore[method-assign]
        for _ in range(ROUNDS):
            before, began = printed.seek(0, 1), time.process_time()
            answer = handler(event, None)
            times.append(time.process_time() - began)
            logged.append(printed.seek(0, 1) - before)
        URLLib3Session.send = send  # type: ignore[method-assign]
    reads = round(asked.pop("GetItem", 0) / ROUNDS)
    writes = round(asked.total() / ROUNDS)
    ours = statistics.median(times) * 1000 / ASSUMED["processor of a function of 1 GB"]
    return Run(
        billed=math.ceil(ours + (reads + writes) * ASSUMED["ms the store takes"]),
        reads=reads,
        writes=writes,
        logged=round(statistics.median(logged) + ASSUMED["bytes that Lambda itself logs"]),
        sent=len(answer["body"].encode()) + len(json.dumps(answer["headers"])) if "body" in answer else 0,
    )


def gateway(calls: float) -> float:
    """USD for so many requests a month."""
    steps = ((333e6, "request of the gateway"), (667e6, "request beyond 333 million"))
    cost = 0.0
    for size, price in steps:
        cost += min(calls, size) * USD[price]
        calls = max(0.0, calls - size)
    return cost + calls * USD["request beyond a billion"]


def fixed() -> float:
    """USD a month whether anybody calls or not: five snapshots of 1 GB, what is watched."""
    return 5 * MONTH * USD["GB and second of a snapshot"] + USD["metrics, alarms, dashboard"]


def _table_of_a_million(runs: dict[str, Run]) -> str:
    rows = []
    for label, one in (("a Pix code", runs["pix"]), ("a company, stored", runs["cnpj"])):
        parts = {
            "gateway": USD["request of the gateway"],
            **one.parts,
            "authorizer": _authorizer(runs),
        }
        values = [*parts.values(), sum(parts.values())]
        rows.append([label, *(f"{value * 1e6:.2f}" for value in values)])
    return table(["a million calls", *parts, "USD"], rows)


def _authorizer(runs: dict[str, Run]) -> float:
    """USD of the authorizer for each call."""
    return runs["authorizer"].cost / ASSUMED["calls for each run of the authorizer"]


def _table_of_searches(runs: dict[str, Run]) -> str:
    """A page of 25 companies: a call as for one, the function with the index, and rows, read eventually."""
    searching = ASSUMED["ms a search takes in its function"]
    waited = searching + ASSUMED["ms its invocation adds"] + ASSUMED["ms the store takes"]
    caller = runs["cnpj"]._replace(
        billed=runs["cnpj"].billed + math.ceil(waited), sent=int(ASSUMED["bytes of a page"])
    )
    each = {
        "a call": USD["request of the gateway"] + caller.cost + _authorizer(runs),
        "index": USD["start of a function"]
        + searching / 1000 * ASSUMED["GB of that function"] * USD["GB and second of a function"]
        + ASSUMED["bytes that Lambda itself logs"] / 1e9 * USD["GB of logs"],
        "rows": ASSUMED["rows of a page"] / 2 * USD["unit read"],
    }
    stored = ASSUMED["GB of two months' indexes"] * USD["GB of a file system"]
    values = [*each.values(), sum(each.values())]
    head = ["a million pages", *each, "USD", "indexes a month"]
    return table(head, [["a search", *(f"{value * 1e6:.2f}" for value in values), f"{stored:.2f}"]])


def _table_of_rates(runs: dict[str, Run]) -> str:
    each = runs["pix"].cost + _authorizer(runs)
    rows = []
    for rate in (1, 10, 1000):
        calls = float(rate * MONTH)
        values = (gateway(calls), each * calls, fixed(), gateway(calls) + each * calls + fixed())
        rows.append([f"{rate:,}", f"{calls / 1e6:,.1f}", *(f"{value:,.0f}" for value in values)])
    head = [
        "Pix calls a second",
        "million a month",
        "gateway",
        "all else by the call",
        "fixed",
        "USD a month",
    ]
    return table(head, rows)


if __name__ == "__main__":
    measure()
