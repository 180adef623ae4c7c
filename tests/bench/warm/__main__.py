"""Measure warm calls: ``python -m tests.bench.warm`` (Linux).

The gateway as ``make run`` starts it and the same two endpoints in FastAPI, one worker each, over a store
that takes no time (``instant``). A separate process keeps a few connections open. All take turns; the
honest figure on a busy machine is the answering process's processor time. The table is kept in
docs/figures.md.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack

from tests.bench.table import keep
from tests.bench.warm.requests import READ, WRITTEN, bytes_of
from tests.bench.warm.servers import ROOT, Server, install_peers, ours, peer
from tests.bench.warm.split import split

ROUNDS, CALLS, CONNECTIONS, MANY = 9, 1000, 8, 20_000
OURS, PEER, FASTER = "`make run`", "FastAPI, uvicorn", "FastAPI, uvicorn with httptools and uvloop"
Spent = tuple[float, float]
"""Calls a second, and milliseconds of processor time a call."""


def main() -> None:
    """Measure and keep; ``python -m tests.bench.warm 3``: so many rounds."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else ROUNDS
    install_peers()
    with ExitStack() as stack:
        servers = {
            OURS: stack.enter_context(ours()),
            PEER: stack.enter_context(peer("--http", "h11", "--loop", "asyncio")),
            FASTER: stack.enter_context(peer("--http", "httptools", "--loop", "uvloop")),
        }
        memory = _warm(servers)
        spent = _measure(servers, rounds)
        _bring_to(servers, MANY - CALLS - (rounds * len((WRITTEN, READ)) * CALLS))
        memory = {name: (before, servers[name].megabytes()) for name, before in memory.items()}
    whole = statistics.median(milliseconds for _, milliseconds in spent[WRITTEN, OURS])
    keep("warm", _table(spent, memory) + "\n\n" + split(whole))


def _warm(servers: Mapping[str, Server]) -> dict[str, float]:
    """Memory after the first thousand calls."""
    _bring_to(servers, CALLS)
    return {name: server.megabytes() for name, server in servers.items()}


def _bring_to(servers: Mapping[str, Server], calls: int) -> None:
    for server in servers.values():
        _call(server, WRITTEN, max(0, calls))


def _measure(servers: Mapping[str, Server], rounds: int) -> dict[tuple[str, str], list[Spent]]:
    spent: dict[tuple[str, str], list[Spent]] = {}
    for _ in range(rounds):
        for request in (WRITTEN, READ):
            for name, server in servers.items():
                spent.setdefault((request, name), []).append(_call(server, request, CALLS))
    return spent


def _call(server: Server, request: str, calls: int) -> Spent:
    before = server.processor_seconds()
    command = [sys.executable, "-m", "tests.bench.warm.load", *map(str, (server.port, calls, CONNECTIONS))]
    done = subprocess.run(command, input=bytes_of(request), cwd=ROOT, capture_output=True, check=True)
    used = server.processor_seconds() - before
    return calls / float(done.stdout), used / max(1, calls) * 1000


def _table(spent: Mapping[tuple[str, str], list[Spent]], memory: Mapping[str, tuple[float, float]]) -> str:
    """Of each the median; ratios are those of one round, with their interquartile range."""
    rows = []
    for (request, name), each in spent.items():
        base = spent[request, PEER]
        ratios = [
            statistics.quantiles(
                [one[kind] / other[kind] for one, other in zip(each, base, strict=True)], n=4
            )
            for kind in (0, 1)
        ]
        (rate, rates), (took, times) = (
            (statistics.median(one[kind] for one in each), ratios[kind]) for kind in (0, 1)
        )
        rows.append(f"| {request} | {name} | {rate:.0f} | {_said(rates)} | {took:.2f} | {_said(times)} |")
    head = "| call | server | calls/s | ratio | ms of processor time a call | ratio |"
    grown = [f"| {name} | {first:.0f} | {last:.0f} |" for name, (first, last) in memory.items()]
    sizes = f"| server | MB after {CALLS:,} calls | after {MANY:,} |"
    version = f"CPython {sys.version.split()[0]}, one worker, {CONNECTIONS} connections that stay open."
    table = [head, "| --- | --- | --- | --- | --- | --- |", *rows]
    return "\n".join([version, "", *table, "", sizes, "| --- | --- | --- |", *grown])


def _said(quartiles: list[float]) -> str:
    low, middle, high = quartiles
    return f"{middle:.2f} ({low:.2f}–{high:.2f})"


if __name__ == "__main__":
    main()
