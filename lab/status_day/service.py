"""The gateway under test: its status and its workers."""

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from brskills_server.adapters.sqlite import open_stores
from brskills_server.telemetry.day_counts import DayCounts
from tests.services.gateway import eventually
from tests.services.served import TIMEOUT, Served, served
from tests.services.store import Destination

WORKERS = 3


class Service:
    """``gateway``: its processes, log and store."""

    def __init__(self, gateway: Served) -> None:
        self.gateway = gateway

    def status(self) -> dict[str, Any]:
        return dict(httpx.get(f"{self.gateway.base}/api/v1/status", timeout=TIMEOUT).json())

    def states(self) -> dict[str, str]:
        """Return the state of the service (by an empty name) and of each component."""
        report = self.status()
        return {"": report["status"]} | {part["nome"]: part["status"] for part in report["componentes"]}

    def reports(self, **expected: str) -> bool:
        """Return whether a dozen answers have these states; ``whole`` is the service's."""
        wanted = {("" if name == "whole" else name): state for name, state in expected.items()}
        return all(wanted.items() <= self.states().items() for _ in range(4 * WORKERS))

    def wait_for_status(self, **expected: str) -> None:
        eventually(lambda: self.reports(**expected), state=self.states)

    def replaced(self) -> int:
        """Return how many workers were replaced until now."""
        return sum(line["message"] == "worker replaced" for line in self.gateway.lines())

    def replace_workers(self) -> None:
        """Replace each worker in order."""
        before = self.replaced()
        self.gateway.process.send_signal(signal.SIGHUP)
        eventually(lambda: self.replaced() == before + WORKERS)

    def kill(self, number: int) -> None:
        """Kill so many workers at once."""
        doomed = sorted(self.gateway.workers())[:number]
        for worker in doomed:
            os.kill(worker, signal.SIGKILL)
        eventually(lambda: not {*doomed} & self.gateway.workers())


@contextmanager
def running(
    folder: Path, providers: Mapping[str, str], earlier: Mapping[str, DayCounts]
) -> Iterator[Service]:
    """Yield a gateway over the store in a folder, with counts of ``earlier`` days added.

    ``providers``: the settings that point at them.
    """
    store = f"sqlite:///{folder / 'day.db'}"
    opened = open_stores(Destination(store))
    opened.open_maintenance().prepare()
    for day, counts in earlier.items():
        opened.access.add_to_day(day, counts, int(time.time()) + 10_000_000)
    settings = {
        "DEMO_MONTHLY_LIMIT": "3",
        "PROBE_SECONDS": "2",
        "REGISTRY_PROVIDERS": "opencnpj,brasilapi,cnpja",
        "SIGNUPS_PER_DAY": "1000",
        "SLA_URL": "https://brskills.example/sla",
        "STORE_TIMEOUT_SECONDS": "1",
        "WORKERS": str(WORKERS),
    }
    with served(folder, store, **settings, **providers) as gateway:
        yield Service(gateway)
