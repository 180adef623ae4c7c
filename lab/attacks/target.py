"""The service under attack: a gateway of a checkout over a new store, and what it spends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY as DEMO_KEY  # noqa: F401
from lab.attacks.caller import Caller
from lab.attacks.others import Others, unharmed
from lab.attacks.outcome import Outcome
from tests.services import processes
from tests.services.served import Served, served
from tests.simulator import Simulator

IDLE_SECONDS = 3.0


@dataclass
class Context:
    """``seconds``: how long an attack lasts at full speed."""

    checkout: Path
    folder: Path
    seconds: float = 10.0

    def new_folder(self) -> Path:
        folder = self.folder / f"run{len(list(self.folder.iterdir()))}"
        folder.mkdir()
        return folder

    @contextmanager
    def serving(
        self, providers: Simulator | None = None, *, open_files: int = 0, **settings: str
    ) -> Iterator[Target]:
        """Yield a gateway that is ready. ``open_files``: its limit of descriptors."""
        folder = self.new_folder()
        settings = {"PYTHONDONTWRITEBYTECODE": "1", **(providers.settings if providers else {}), **settings}
        store = f"sqlite:///{folder}/brskills.db"
        with served(folder, store, root=self.checkout, open_files=open_files, **settings) as gateway:
            target = Target(gateway)
            try:
                yield target
            finally:
                for caller in target.callers:
                    caller.close()


@dataclass
class Target:
    """A gateway, and the connections to it that are closed at the end."""

    gateway: Served
    callers: list[Caller] = field(default_factory=list)

    @property
    def port(self) -> int:
        return self.gateway.port

    def caller(self, key: str = "", source: str = "127.0.0.1") -> Caller:
        self.callers.append(Caller(self.port, key, source=source))
        return self.callers[-1]

    def new_key(self, plan: str) -> str:
        return self.gateway.store.accounts.open(plan).api_key

    def counted(self, key: str) -> int:
        """Return the month's calls, as the service reports them."""
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
        peak = max(processes.memory(process, "VmHWM") for process in self._processes())
        outcome.spent["peak memory of a worker, MB"] = round(peak)
        outcome.checks += unharmed(outcome.idle, outcome.meanwhile)

    def _spent(self) -> dict[str, float]:
        return {
            "log bytes": self.gateway.output.stat().st_size,
            "processor seconds": self.processor_seconds(),
        }

    def _processes(self) -> list[int]:
        return processes.descendants(self.gateway.process.pid)

    def processor_seconds(self) -> float:
        """Return the processor time of all its processes until now."""
        return processes.processor_seconds(self._processes())
