"""Measure warm calls: ``python -m lab.bench.warm`` (Linux).

The gateway as ``make run`` starts it and the same endpoint in FastAPI, one worker each, over a store
that takes no time (``instant``). A separate process keeps a few connections open. All take turns; on a busy
machine the reliable figure is the answering process's processor time. Kept in evidence/figures.md.
"""

import statistics
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from typing import NamedTuple

from lab.bench.figure import Figure, Spread
from lab.bench.table import keep
from lab.bench.timing import ratio
from lab.bench.warm.servers import Server, install_peers, load, ours, peer
from tests.services.processes import memory, processor_seconds
from tests.services.scenarios import table

ROUNDS, CALLS, CONNECTIONS, MANY = 9, 1000, 8, 20_000
OURS, PEER, FASTER = "`make run`", "FastAPI", "FastAPI, httptools and uvloop"


class Spent(NamedTuple):
    """Milliseconds a call in each round: of the clock, with eight calls at once, and of a processor."""

    clock: list[float]
    processor: list[float]


def measure(rounds: int = ROUNDS) -> dict[str, Figure]:
    """Measure and keep; the peers have no ratio."""
    install_peers()
    with ExitStack() as stack:
        servers = {
            OURS: stack.enter_context(ours()),
            PEER: stack.enter_context(peer("--http", "h11", "--loop", "asyncio")),
            FASTER: stack.enter_context(peer("--http", "httptools", "--loop", "uvloop")),
        }
        early = _memory_after(servers, CALLS)
        spent = {name: Spent([], []) for name in servers}
        for _ in range(rounds):
            for name, server in servers.items():
                _call(server, spent[name])
        late = _memory_after(servers, MANY - CALLS - rounds * CALLS)
    grown = "; ".join(f"{name} {early[name]:.0f} and {late[name]:.0f}" for name in servers)
    parts = [
        f"A counted Pix code; CPython {sys.version.split()[0]}, one worker, {CONNECTIONS} open connections.",
        _table(spent),
        f"MB after {CALLS:,} and {MANY:,} calls: {grown}.",
    ]
    keep("warm", "\n\n".join(parts))
    return _figures(spent)


def _memory_after(servers: Mapping[str, Server], calls: int) -> dict[str, float]:
    for server in servers.values():
        if calls > 0:
            load(server.port, calls, CONNECTIONS)
    return {name: memory(server.process) for name, server in servers.items()}


def _call(server: Server, spent: Spent) -> None:
    before = processor_seconds([server.process])
    spent.clock.append(load(server.port, CALLS, CONNECTIONS)["seconds"] / CALLS * 1000)
    spent.processor.append((processor_seconds([server.process]) - before) / CALLS * 1000)


def _table(spent: Mapping[str, Spent]) -> str:
    """Return the median of each figure; ratios are those of one round, with their interquartile range."""
    peer, rows = spent[PEER], []
    for name, (clock, processor) in spent.items():
        calls, used = 1000 / statistics.median(clock), statistics.median(processor)
        faster, less = ratio(peer.clock, clock), ratio(processor, peer.processor)
        rows.append([name, f"{calls:.0f}", f"{faster:.2f}", f"{used:.2f}", f"{less:.2f}"])
    return table(["server", "calls/s", "ratio", "processor, ms", "ratio"], rows)


def _figures(spent: Mapping[str, Spent]) -> dict[str, Figure]:
    """Return both figures of each server; ours have ratios to FastAPI's."""
    return {
        f"{name}, {kind}": Figure(statistics.median(times), "ms", _ratio(name, times, peer))
        for name, each in spent.items()
        for kind, times, peer in zip(Spent._fields, each, spent[PEER], strict=True)
    }


def _ratio(name: str, times: list[float], peer: list[float]) -> Spread | None:
    return ratio(times, peer) if name == OURS else None


if __name__ == "__main__":
    measure(*map(int, sys.argv[1:]))
