"""The gateway under test: its status, log, store and workers."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from brskills_server.adapters.sqlite import open_stores
from brskills_server.telemetry.day_counts import DayCounts
from tests.services.gateway import free_port, start, wait_until_ready
from tests.services.store import Destination
from tests.status_day.caller import Counts

TIMEOUT = 60
WORKERS = 3


class Service:
    """``base``: its address. ``store``: the file of its store. ``log``: that of what it prints."""

    def __init__(self, process: subprocess.Popen[bytes], base: str, store: Path, log: Path) -> None:
        self._process = process
        self.base = base
        self._store = Destination(f"sqlite:///{store}")
        self._log = log

    def status(self) -> dict[str, Any]:
        """Return its status."""
        return dict(httpx.get(f"{self.base}/api/v1/status", timeout=TIMEOUT).json())

    def states(self) -> dict[str, str]:
        """Return the state of the service (by an empty name) and of each component."""
        report = self.status()
        return {"": report["status"]} | {part["nome"]: part["status"] for part in report["componentes"]}

    def reports(self, **expected: str) -> bool:
        """Return whether a dozen answers have these states; ``whole`` is the service's."""
        wanted = {("" if name == "whole" else name): state for name, state in expected.items()}
        return all(wanted.items() <= self.states().items() for _ in range(4 * WORKERS))

    def wait_for_status(self, **expected: str) -> None:
        """Wait until it reports these states."""
        eventually(lambda: self.reports(**expected), self.states)

    def logged(self) -> Counts:
        """Calls and failures, recounted from the lines of the log."""
        lines = [line for line in self._lines() if line["message"] == "call"]
        return Counts(
            sum(line.get("calls", 0) for line in lines), sum(line.get("failed", 0) for line in lines)
        )

    def kept(self, since: str) -> Counts:
        """The same by the store, since a day."""
        days = open_stores(self._store).access.days(since, "9999-12-31").values()
        return Counts(sum(day.calls for day in days), sum(day.failed for day in days))

    def replaced(self) -> int:
        """How many workers were replaced until now."""
        return sum(line["message"] == "worker replaced" for line in self._lines())

    def replace_workers(self) -> None:
        """Have each worker end in order, another in its place."""
        before = self.replaced()
        self._process.send_signal(signal.SIGHUP)
        eventually(lambda: self.replaced() == before + WORKERS)

    def workers(self) -> list[int]:
        """Their processes."""
        command = ["pgrep", "-P", str(self._process.pid), "-f", "spawn_main"]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        return [int(number) for number in found.stdout.split()]

    def kill(self, workers: Collection[int]) -> None:
        """Kill workers at once."""
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        eventually(lambda: not {*workers} & {*self.workers()})

    def end(self) -> None:
        """End it in order."""
        self._process.terminate()
        if self._process.wait(TIMEOUT):
            raise SystemExit(f"the gateway ended with {self._process.returncode}")

    def _lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._log.read_text().splitlines()]


@contextmanager
def running(folder: Path, urls: Mapping[str, str], earlier: Mapping[str, DayCounts]) -> Iterator[Service]:
    """A gateway over a new store in a folder, which has counts of ``earlier`` days; ``urls`` by provider."""
    port, store, log = free_port(), folder / "day.db", folder / "brskills_server.gateway.log"
    opened = open_stores(Destination(f"sqlite:///{store}"))
    opened.open_maintenance().prepare()
    for day, counts in earlier.items():
        opened.access.add_to_day(day, counts, int(time.time()) + 10_000_000)
    settings = {
        "DEMO_MONTHLY_LIMIT": "3",
        "LOG_FORMAT": "json",
        "PROBE_SECONDS": "2",
        "REGISTRY_PROVIDERS": "opencnpj,brasilapi,cnpja",
        "SIGNUPS_PER_DAY": "1000",
        "SLA_URL": "https://brskills.example/sla",
        "STORE": f"sqlite:///{store}",
        "STORE_TIMEOUT_SECONDS": "1",
        "WORKERS": str(WORKERS),
    }
    process = start(port, log, **settings, **{f"{name.upper()}_URL": url for name, url in urls.items()})
    try:
        base = f"http://127.0.0.1:{port}"
        wait_until_ready(f"{base}/livez", process, log)
        eventually(lambda: '"ready"' in log.read_text())
        yield Service(process, base, store, log)
    finally:
        process.kill()
        process.wait()


def eventually(holds: Callable[[], bool], said: Callable[[], object] = lambda: "") -> None:
    """Wait until something holds; ends the day with what is said instead where it does not."""
    deadline = time.monotonic() + TIMEOUT
    while not holds():
        if time.monotonic() > deadline:
            raise SystemExit(f"it did not happen: {said()}")
        time.sleep(0.1)
