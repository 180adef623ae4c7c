"""The p99 of Pix calls while the machine does other work: ``python -m lab.bench.neighbours`` (Linux).

A gateway as ``make run`` starts it, over SQLite, answers two callers; before each kind of work the machine is
idle, and the ratio is to that. Kept in evidence/figures.md. ``python -m lab.bench.neighbours 3`` sets the
number of rounds.
"""

import contextlib
import os
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx

from lab.bench.figure import Figure
from lab.bench.months import first_month
from lab.bench.table import keep
from lab.bench.timing import ratio
from lab.bench.warm.servers import PIX, load
from tests.services.scenarios import table
from tests.services.served import Served, served
from tests.simulator import Simulator
from tests.simulator.companies import numbers

ROUNDS, CALLS, CALLERS, WARM = 7, 1000, 2, 2000
LOOK_UPS, ITEMS = 200, 100
ATTEMPTS, TIMEOUT = 5, 60

Work = Callable[[Served, str], AbstractContextManager[None]]


def measure(folder: Path, rounds: int = ROUNDS) -> dict[str, Figure]:
    """Measure and keep. ``folder``: of the month of which a copy is built."""
    month = first_month(folder)
    works: dict[str, Work] = {
        f"{LOOK_UPS} look-ups hang": hanging_look_ups,
        f"batches of {ITEMS} Pix codes": pix_batches,
        f"batches of {ITEMS} companies": company_batches,
        "a copy is built": lambda *_: built_copy(month.folder),
    }
    found = [_round(works) for _ in range(rounds)]
    idle = Figure(statistics.median(idle for one in found for idle, _ in one.values()), "ms")
    figures = {"idle": idle}
    for name in works:
        before, beside = zip(*(one[name] for one in found), strict=True)
        figures[name] = Figure(statistics.median(beside), "ms", ratio(beside, before))
    rows = [[name, f"{one.value:.1f}", f"{one.ratio or 1.0:.1f}"] for name, one in figures.items()]
    keep("neighbours", table(["while", "p99, ms", "ratio"], rows))
    return figures


def _round(works: dict[str, Work]) -> dict[str, tuple[float, float]]:
    """Return the p99 in ms before and beside each kind of work, of a new gateway."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, Simulator() as sources:
        workers = str(os.cpu_count() or 1)
        settings = {"WORKERS": workers, "REGISTRY_PROVIDERS": "opencnpj", **sources.settings}
        with served(Path(folder), f"sqlite:///{folder}/bench.db", **settings) as service:
            key = service.store.accounts.open("enterprise").api_key
            load(service.port, WARM, CALLERS, key)
            for name, work in reversed(works.items()):  # the look-ups that hang last: their source fails
                sources.play("opencnpj", "silent" if work is hanging_look_ups else "truth")
                idle = _p99(service, key)
                with work(service, key):
                    found[name] = idle, _p99(service, key)
    return found


def _p99(service: Served, key: str) -> float:
    return statistics.quantiles(load(service.port, CALLS, CALLERS, key)["times"], n=100)[98]


@contextlib.contextmanager
def hanging_look_ups(service: Served, key: str) -> Iterator[None]:
    """Keep look-ups waiting for a silent source. Raise ``RuntimeError`` if many are answered meanwhile."""
    with contextlib.ExitStack() as stack:
        hanging: list[socket.socket] = []
        for attempt in range(ATTEMPTS):  # a worker that has too many refuses them
            for number in numbers(f"4455566{attempt}", LOOK_UPS - len(hanging)):
                connection = stack.enter_context(
                    socket.create_connection(("127.0.0.1", service.port), TIMEOUT)
                )
                head = f"GET /api/v1/skills/cnpj/{number} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\n\r\n"
                connection.sendall(head.encode())
                hanging.append(connection)
            time.sleep(0.2)
            hanging = [one for one in hanging if one not in _answered(hanging)]
        yield
        waited = len(hanging) - len(_answered(hanging))
        if waited < LOOK_UPS / 2:
            raise RuntimeError(f"only {waited} look-ups did hang")


def _answered(connections: list[socket.socket]) -> list[socket.socket]:
    return select.select(connections, [], [], 0)[0]


def pix_batches(service: Served, key: str) -> AbstractContextManager[None]:
    """Keep asking for a batch of codes."""
    return _batches(service, key, "/api/v1/skills/pix/lote", {"itens": [PIX] * ITEMS})


def company_batches(service: Served, key: str) -> AbstractContextManager[None]:
    """Keep asking for a batch of companies, which the store has after the first time."""
    return _batches(service, key, "/api/v1/skills/cnpj/lote", {"cnpjs": numbers("11222333", ITEMS)})


@contextlib.contextmanager
def _batches(service: Served, key: str, path: str, batch: dict[str, Any]) -> Iterator[None]:
    stopped = threading.Event()
    statuses = set()

    def ask() -> None:
        with httpx.Client(base_url=service.base, timeout=TIMEOUT, headers={"X-API-Key": key}) as http:
            while not stopped.is_set():
                statuses.add(http.post(path, json=batch).status_code)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
    if statuses != {200}:
        raise RuntimeError(f"batches were answered with {statuses}")


@contextlib.contextmanager
def built_copy(month: Path) -> Iterator[None]:
    """Build a copy of the register. Raise ``RuntimeError`` if it is built before the end."""
    with tempfile.TemporaryDirectory() as copy:
        command = [sys.executable, "-u", "-m", "brskills_server.snapshot_builder", "build", str(month)]
        environment = os.environ | {"REGISTRY_COPY": copy}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as builder:
            assert builder.stdout
            builder.stdout.readline()  # it has begun
            yield
            ended = builder.poll()
            builder.kill()
    if ended is not None:
        raise RuntimeError(f"the build ended first, with {ended}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        measure(Path(place), *map(int, sys.argv[1:]))
