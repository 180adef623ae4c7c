"""Both servers as processes, and the system's figures of the one that answers."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from brskills_server.accounts import api_key
from tests.packages import install
from tests.services.gateway import free_port, wait_until_ready

__all__ = ["KEY", "Server", "environment", "install_peers", "ours", "peer"]

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PEERS = ROOT / ".cache/bench-warm/peers"
KEY = os.environ.get("BENCH_API_KEY") or api_key.generate()
_TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A process that answers at a port."""

    def __init__(self, port: int, process_id: int) -> None:
        self.port = port
        self._proc = Path(f"/proc/{process_id}")

    def processor_seconds(self) -> float:
        """System's and user's, of all its threads so far."""
        fields = (self._proc / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def megabytes(self) -> float:
        """What it has in memory."""
        status = (self._proc / "status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def install_peers() -> None:
    """FastAPI beside the packages that the gateway has, unless it is there."""
    listed, stamp = HERE / "peers.txt", PEERS / "installed"
    wanted = listed.read_text() + sys.version
    if not stamp.exists() or stamp.read_text() != wanted:
        install(Path(sys.executable), listed, "--upgrade", "--target", str(PEERS))
        stamp.write_text(wanted)


@contextlib.contextmanager
def ours() -> Iterator[Server]:
    """The gateway with one worker, which is the server."""
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.warm.ours"]
    with _running(command, port, "/api/v1/plans", PORT=str(port), WORKERS="1", STORE="instant") as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        workers = [child for child in children if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()]
        yield Server(port, int(workers[0]))


@contextlib.contextmanager
def peer(*options: str) -> Iterator[Server]:
    """FastAPI with one worker; ``options`` are uvicorn's."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "tests.bench.warm.peer:app", "--port", str(port), *options]
    with _running(command, port, "/openapi.json") as process:
        yield Server(port, process.pid)


def environment(**settings: str) -> dict[str, str]:
    """The variables of a process that is measured: these settings, and none of the shell's."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    places = os.pathsep.join(map(str, (ROOT / "layers/shared", ROOT, PEERS)))
    return {**kept, "PYTHONPATH": places, "BENCH_API_KEY": KEY, "REGISTRY_COPY": os.devnull, **settings}


@contextlib.contextmanager
def _running(command: list[str], port: int, ready: str, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    # A file, as a service manager's log is: what is printed is a part of a call.
    with (ROOT / ".cache/bench-warm" / f"{port}.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment(**settings), stdout=log, stderr=log)
        try:
            wait_until_ready(f"http://127.0.0.1:{port}{ready}", process, Path(log.name))
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)
    Path(log.name).unlink()
