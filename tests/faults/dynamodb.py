"""DynamoDB, as MiniStack plays it: away, silent, and cut off in the middle of its answers."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tests.faults.postgresql import AWAY_SECONDS, CALM_SECONDS, CUT_SECONDS, every, passing
from tests.faults.service import serving
from tests.faults.trial import Row, Trial
from tests.services.gateway import free_port, wait_until_ready
from tests.services.ministack import PYTHON
from tests.services.relay import relay

__all__ = ["faults"]

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
}


class MiniStack:
    """DynamoDB alone, in a process that keeps its tables in memory, and in a folder when it is ended."""

    def __init__(self, folder: Path) -> None:
        if not Path(PYTHON).exists():
            raise RuntimeError("MiniStack is missing: make .venv-ministack/stamp installs it")
        self._folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it with what was there."""
        environment = {
            **os.environ,
            "BIND_HOST": "127.0.0.1",
            "GATEWAY_PORT": str(self.port),
            "SERVICES": "dynamodb",
            "PERSIST_STATE": "1",
            "STATE_DIR": str(self._folder / "state"),
            "LOG_LEVEL": "WARNING",
        }
        with (self._folder / "ministack.txt").open("ab") as output:
            self.process = subprocess.Popen(
                [PYTHON, "-m", "ministack"], env=environment, stdout=output, stderr=subprocess.STDOUT
            )
        wait_until_ready(f"{self.url}/_ministack/health", self.process)

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> None:
        """End it and wait until it has kept its tables."""
        if self.process is not None and self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGTERM)
            self.process.wait(60)


def faults(folder: Path) -> Iterator[Row]:
    """Yield a row for each fault, with separate tables."""
    with patch.dict(os.environ, ENVIRONMENT):
        for fault in (_away, _silent, _lost_answers):
            (folder / fault.__name__).mkdir()
            yield fault(folder / fault.__name__)


def _away(folder: Path) -> Row:
    with _ministack(folder) as server, _served(folder, server, server.port) as trial:
        with trial.running():
            for _ in range(2):
                server.stop()
                time.sleep(CALM_SECONDS)
                server.start()
                trial.end()
                time.sleep(CALM_SECONDS)
        return trial.judged("DynamoDB (MiniStack) ended twice, and back", felt={503}, history="at least")


def _silent(folder: Path) -> Row:
    with _ministack(folder) as server, _served(folder, server, server.port) as trial:
        with trial.running():
            server.signal(signal.SIGSTOP)
            time.sleep(AWAY_SECONDS)
            server.signal(signal.SIGCONT)
            trial.end()
        return trial.judged("DynamoDB silent (SIGSTOP)", felt={503}, history="at least")


def _lost_answers(folder: Path) -> Row:
    with (
        _ministack(folder) as server,
        relay(server.port) as cutting,
        _served(folder, server, cutting.port) as trial,
    ):
        with trial.running():
            cutting.passes = passing()
            cutting.cuts = every(15)
            time.sleep(CUT_SECONDS)
            cutting.cuts = lambda _: False
            trial.end()
        fault = f"DynamoDB: answers cut after 0 to 300 bytes ({cutting.cut} times)"
        return trial.judged(fault, felt={503}, history="at least")


@contextmanager
def _ministack(folder: Path) -> Iterator[MiniStack]:
    server = MiniStack(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def _served(folder: Path, server: MiniStack, port: int) -> Iterator[Trial]:
    """Callers of a gateway that reaches its tables by this port; they are read at the server's own."""
    tables = {"AWS_ENDPOINT_URL_DYNAMODB": f"http://127.0.0.1:{port}", "CREATE_TABLES": "1"}
    with (
        patch.dict(os.environ, AWS_ENDPOINT_URL_DYNAMODB=server.url),
        serving(folder, "dynamodb", **ENVIRONMENT, **tables) as service,
    ):
        yield Trial(service)
