"""A gateway over a store, with what it logged and what the store counted."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from brskills_server.accounts.calendar import day_name
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import Settings
from tests.services.gateway import ROOT, eventually, free_port, running, start
from tests.services.processes import workers_of

TIMEOUT = 60
AHEAD_SECONDS = 70 * 86_400.0
"""The furthest that tests set a gateway's clock ahead."""


class Counts(NamedTuple):
    """Calls that an answer was owed for, and those that failed."""

    calls: int
    failed: int

    @staticmethod
    def sum(counted: Iterable[tuple[int, int]]) -> Counts:
        calls, failed = zip(*[(0, 0), *counted], strict=True)
        return Counts(sum(calls), sum(failed))

    def __sub__(self, other: Counts) -> Counts:
        return Counts(self.calls - other.calls, self.failed - other.failed)

    def __str__(self) -> str:
        return f"{self.calls} calls, {self.failed} failed"


@dataclass(frozen=True)
class Served:
    """A gateway's first process, its address, its output, and its store, which is read without faults."""

    process: subprocess.Popen[bytes]
    base: str
    output: Path
    store: Services

    @property
    def port(self) -> int:
        return int(self.base.rpartition(":")[2])

    def lines(self) -> list[dict[str, Any]]:
        """Return the gateway's own lines of the log, without those of the functions."""
        lines = self.output.read_text().splitlines()
        found = [json.loads(line) for line in lines if line.startswith("{")]
        return [line for line in found if "service" not in line]

    def logged(self) -> Counts:
        """Return the calls by the log."""
        return Counts.sum((line.get("calls", 0), line.get("failed", 0)) for line in self.lines())

    def kept(self, since: str) -> Counts:
        """Return the calls by the history in the store, since a day."""
        until = day_name(time.time() + AHEAD_SECONDS)
        days = self.store.store.days(since, until).values()
        return Counts.sum((day.calls, day.failed) for day in days)

    def workers(self) -> set[int]:
        return workers_of(self.process.pid)

    def end(self) -> None:
        """End the gateway in order, so that its workers write what they have counted."""
        self.process.send_signal(signal.SIGTERM)
        if code := self.process.wait(TIMEOUT):
            raise RuntimeError(f"the gateway ended with {code}")


@contextmanager
def served(
    folder: Path, store: str, direct: str = "", *, root: Path = ROOT, open_files: int = 0, **settings: str
) -> Iterator[Served]:
    """Yield a gateway over ``store``, whose workers are ready; tests read the store at ``direct``.

    ``root``: its checkout. ``open_files``: its limit of descriptors.
    """
    port, output = free_port(), folder / "output.txt"
    environment = {"STORE": store, "LOG_FORMAT": "json", **settings}
    process = start(port, output, open_files, root=root, **environment)
    with running(process, f"http://127.0.0.1:{port}/livez", output, signal.SIGINT) as base:
        eventually(lambda: '"ready"' in output.read_text())
        own = {"STORE": direct or store, "STORE_TIMEOUT_SECONDS": "30"}
        yield Served(process, base, output, Services(Settings.from_environment(own)))
