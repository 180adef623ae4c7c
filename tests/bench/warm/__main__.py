"""Measure warm calls: ``python -m tests.bench.warm`` (Linux).

The gateway as ``make run`` starts it and the same endpoint in FastAPI, one worker each, over a store
that takes no time (``instant``). A separate process keeps a few connections open. All take turns; on a busy
machine the reliable figure is the answering process's processor time. Kept in evidence/figures.md.
"""

import statistics
import sys
from collections.abc import Mapping
from contextlib import ExitStack

from tests.bench.table import keep
from tests.bench.warm.servers import Server, install_peers, load, ours, peer
from tests.services.processes import memory, processor_seconds
from tests.services.scenarios import table

ROUNDS, CALLS, CONNECTIONS, MANY = 9, 1000, 8, 20_000
OURS, PEER, FASTER = "`make run`", "FastAPI", "FastAPI, httptools and uvloop"
Spent = tuple[float, float]
"""Calls a second, and milliseconds of processor time a call."""


def main() -> None:
    """Measure and keep; ``python -m tests.bench.warm 3`` sets the number of rounds."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else ROUNDS
    install_peers()
    with ExitStack() as stack:
        servers = {
            OURS: stack.enter_context(ours()),
            PEER: stack.enter_context(peer("--http", "h11", "--loop", "asyncio")),
            FASTER: stack.enter_context(peer("--http", "httptools", "--loop", "uvloop")),
        }
        early = _memory_after(servers, CALLS)
        spent: dict[str, list[Spent]] = {}
        for _ in range(rounds):
            for name, server in servers.items():
                spent.setdefault(name, []).append(_call(server))
        late = _memory_after(servers, MANY - CALLS - rounds * CALLS)
    grown = "; ".join(f"{name} {early[name]:.0f} and {late[name]:.0f}" for name in servers)
    parts = [
        f"A counted Pix code; CPython {sys.version.split()[0]}, one worker, {CONNECTIONS} open connections.",
        _table(spent),
        f"MB after {CALLS:,} and {MANY:,} calls: {grown}.",
    ]
    keep("warm", "\n\n".join(parts))


def _memory_after(servers: Mapping[str, Server], calls: int) -> dict[str, float]:
    for server in servers.values():
        if calls > 0:
            load(server.port, calls, CONNECTIONS)
    return {name: memory(server.process) for name, server in servers.items()}


def _call(server: Server) -> Spent:
    before = processor_seconds([server.process])
    took = load(server.port, CALLS, CONNECTIONS)["seconds"]
    used = processor_seconds([server.process]) - before
    return CALLS / took, used / CALLS * 1000


def _table(spent: Mapping[str, list[Spent]]) -> str:
    """Return the median of each figure; ratios are those of one round, with their interquartile range."""
    rows = []
    for name, each in spent.items():
        cells = []
        for kind, form in enumerate(("{:.0f}", "{:.2f}")):
            pairs = zip(each, spent[PEER], strict=True)
            low, middle, high = statistics.quantiles([one[kind] / base[kind] for one, base in pairs], n=4)
            cells += [form.format(statistics.median(one[kind] for one in each))]
            cells += [f"{middle:.2f} ({low:.2f}–{high:.2f})"]
        rows.append([name, *cells])
    return table(["server", "calls/s", "ratio", "processor, ms", "ratio"], rows)


if __name__ == "__main__":
    main()
