"""The service under attack: a gateway of a checkout over a fresh store, and what it spends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY as DEMO_KEY
from tests.attacks.caller import Caller
from tests.attacks.others import Others, unharmed
from tests.attacks.outcome import Outcome
from tests.attacks.resources import descendants, peak_memory, processor_seconds, threads_of
from tests.services.gateway import free_port, start, wait_until_ready
from tests.simulator import Simulator

__all__ = ["DEMO_KEY", "Context", "Target", "environment_of"]

WORKERS = 2
IDLE_SECONDS = 3.0
STOP_SECONDS = 60


@dataclass
class Context:
    """What every attack gets. ``seconds``: how long it may go on at full speed."""

    checkout: Path
    folder: Path
    seconds: float = 10.0

    def fresh_folder(self) -> Path:
        """A folder that nothing was written to yet."""
        folder = self.folder / f"run{len(list(self.folder.iterdir()))}"
        folder.mkdir()
        return folder

    @contextmanager
    def serving(
        self, providers: Simulator | None = None, *, open_files: int = 0, **settings: str
    ) -> Iterator[Target]:
        """A gateway that is ready; it ends with the block. ``open_files``: its limit of descriptors."""
        folder, port = self.fresh_folder(), free_port()
        store = f"sqlite:///{folder}/brskills.db"
        urls = {f"{name.upper()}_URL": url for name, url in (providers.urls if providers else {}).items()}
        values = {"STORE": store, "WORKERS": str(WORKERS), "LOG_FORMAT": "json", **urls, **settings}
        process = start(
            port, folder / "output.txt", root=self.checkout, descriptors=open_files,
            PYTHONDONTWRITEBYTECODE="1", **values,
        )  # fmt: skip
        try:
            wait_until_ready(f"http://127.0.0.1:{port}/api/v1/health", process, folder / "output.txt")
            target = Target(self, process, port, folder, store)
            yield target
            target.hang_up()
        finally:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            process.kill()
            process.wait()


@dataclass
class Target:
    """A gateway's first process, its port, and the store it counts in."""

    context: Context
    process: subprocess.Popen[bytes]
    port: int
    folder: Path
    store: str
    _callers: list[Caller] = field(default_factory=list)

    def caller(self, key: str = "", source: str = "127.0.0.1") -> Caller:
        """A connection that is closed at the end, where it is still open then."""
        self._callers.append(Caller(self.port, key, source=source))
        return self._callers[-1]

    def hang_up(self) -> None:
        """Close the connections of every caller."""
        for caller in self._callers:
            caller.close()

    def new_key(self, plan: str) -> str:
        """A new account's key, by the operator's command line."""
        said = subprocess.run(
            [sys.executable, "-m", "brskills_server.admin", "open", plan],
            cwd=self.context.checkout,
            env=environment_of(self.context.checkout, STORE=self.store),
            capture_output=True,
            text=True,
            check=True,
        )
        found = re.search(r"brsk_\w+", said.stdout)
        if found is None:
            raise RuntimeError("the operator's command line printed no key")
        return found[0]

    def counted(self, key: str) -> int:
        """The month's calls, as the service reports them."""
        return int(self.caller(key).get("/api/v1/usage").content["chamadas"])

    @contextmanager
    def beside_others(self, outcome: Outcome) -> Iterator[None]:
        """Measure others before and during the block, and what the service spends meanwhile."""
        others = Others(self.port, [self.new_key("enterprise") for _ in range(2)])
        with others.running():
            time.sleep(1.0)  # the first calls load what the later ones find
            began = time.monotonic()
            time.sleep(IDLE_SECONDS)
            attacked, before = time.monotonic(), self._spent()
            yield
            ended, after = time.monotonic(), self._spent()
        outcome.idle = others.figures(began, attacked)
        outcome.meanwhile = others.figures(attacked, ended)
        outcome.spent |= {name: round(after[name] - before[name], 2) for name in before}
        outcome.spent["peak memory of a worker, MB"] = round(self.peak_memory())
        outcome.checks += unharmed(outcome.idle, outcome.meanwhile)

    def _spent(self) -> dict[str, float]:
        return {"log bytes": self.log_bytes(), "processor seconds": self.processor_seconds()}

    def log_bytes(self) -> int:
        return (self.folder / "output.txt").stat().st_size

    def peak_memory(self) -> float:
        """Of the process that needed most, in MB."""
        return peak_memory(descendants(self.process.pid))

    def threads(self) -> int:
        """Of the first process."""
        return threads_of(self.process.pid)

    def processor_seconds(self) -> float:
        """Of all its processes until now."""
        return processor_seconds(descendants(self.process.pid))


def environment_of(checkout: Path, **settings: str) -> dict[str, str]:
    """The environment of a program of a checkout, without settings of this machine's user."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "POWERTOOLS_", "STORE", "BRSKILLS_")) and not name.endswith("_URL")
    }
    rooms = [checkout / "layers/shared", checkout / "clients/python/src", checkout]
    path = os.pathsep.join(map(str, rooms))
    return inherited | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **settings}
