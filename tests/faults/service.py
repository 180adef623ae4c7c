"""The gateway that faults happen to: two workers over a store, and what it and its store say was counted."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from brskills_server.accounts.calendar import day_name
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import Settings
from tests.faults.traffic import MAX_SECONDS, eventually
from tests.services.gateway import free_port, start, wait_until_ready

__all__ = ["STORE_SECONDS", "WORKERS", "Service", "serving", "workers_of"]

STORE_SECONDS = 3
DAY = 86_400.0
CLOCK_DAYS = 70
"""As far ahead as faults set the clock."""

WORKERS = 2


@dataclass(frozen=True)
class Service:
    """A gateway's first process, its address, what it prints, and its store by a way without faults."""

    process: subprocess.Popen[bytes]
    base: str
    output: Path
    store: Services

    def new_key(self) -> tuple[str, str]:
        """A new account without a limit, and its key."""
        issued = self.store.accounts.open("enterprise")
        return issued.account, issued.api_key

    def usage(self, key: str) -> int:
        """Return the calls of all months that the API reports."""
        said = httpx.get(f"{self.base}/api/v1/usage", headers={"X-API-Key": key}, timeout=MAX_SECONDS)
        usage = said.raise_for_status().json()
        months: int = sum(month["chamadas"] for month in usage["historico"])
        return int(usage["chamadas"]) + months

    def kept(self, account: str) -> int:
        """The same by the store."""
        return sum(self.store.accounts.get(account).calls.values())

    def logged(self, path: str) -> Counter[int]:
        """The statuses of what was sent to a path, by the gateway's own lines."""
        return Counter(line["status"] for line in self._lines() if line.get("route") == f"POST {path}")

    def logged_calls(self) -> tuple[int, int]:
        """Calls that were due an answer and those that failed, by the same lines."""
        lines = [line for line in self._lines() if "status" in line]
        return sum(line.get("calls", 0) for line in lines), sum(line.get("failed", 0) for line in lines)

    def kept_calls(self) -> tuple[int, int]:
        """The same by the history in the store."""
        now = time.time()
        first, last = (day_name(moment) for moment in (now - DAY, now + CLOCK_DAYS * DAY))
        days = self.store.store.days(first, last).values()
        return sum(day.calls for day in days), sum(day.failed for day in days)

    def end(self) -> None:
        """End it in order: what its workers have counted is written by then."""
        self.process.send_signal(signal.SIGTERM)
        if code := self.process.wait(MAX_SECONDS):
            raise RuntimeError(f"the gateway ended with {code}")

    def _lines(self) -> list[dict[str, Any]]:
        """Its own lines, and not those that functions leave."""
        found = []
        for line in self.output.read_text().splitlines():
            content = json.loads(line) if line.startswith("{") else {}
            if "service" not in content:
                found.append(content)
        return found


@contextmanager
def serving(folder: Path, store: str, direct: str = "", **settings: str) -> Iterator[Service]:
    """A gateway over ``store``, which tests read at ``direct`` where faults lie between."""
    port, output = free_port(), folder / "output.txt"
    environment = {
        "STORE": store,
        "WORKERS": str(WORKERS),
        "STORE_TIMEOUT_SECONDS": str(STORE_SECONDS),
        "LOG_FORMAT": "json",
        **settings,
    }
    process = start(port, output, **environment)
    try:
        base = f"http://127.0.0.1:{port}"
        wait_until_ready(f"{base}/api/v1/health", process, output)
        eventually(lambda: '"ready"' in output.read_text())
        own = {"STORE": direct or store, "STORE_TIMEOUT_SECONDS": "30"}
        yield Service(process, base, output, Services(Settings.from_environment(own)))
    finally:
        process.kill()
        process.wait()


def workers_of(service: Service) -> set[int]:
    """The processes that serve."""
    found = subprocess.run(
        ["pgrep", "-P", str(service.process.pid), "-f", "spawn_main"],
        capture_output=True,
        text=True,
        check=False,
    )
    return {int(number) for number in found.stdout.split()}
