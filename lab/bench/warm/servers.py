"""Both servers as processes, the request to them, and the load."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from brskills_server.accounts import api_key
from tests.packages import install
from tests.services.gateway import free_port, running
from tests.services.processes import workers_of

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PEERS = ROOT / ".cache/bench-warm/peers"
KEY = os.environ.get("BENCH_API_KEY") or api_key.generate()
PIX = {
    "chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo",
    "txid": "PEDIDO42",
}  # fmt: skip


class Server(NamedTuple):
    """A process that answers at a port."""

    port: int
    process: int


def load(port: int, calls: int, connections: int, key: str = KEY) -> dict[str, Any]:
    """Send requests for a Pix code from another process; see ``lab.bench.warm.load``."""
    body = json.dumps(PIX, ensure_ascii=False).encode()
    head = (
        "POST /api/v1/skills/pix HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\n"
        "Accept: application/json\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nX-API-Key: {key}\r\n\r\n"
    )
    command = [sys.executable, "-m", "lab.bench.warm.load", *map(str, (port, calls, connections))]
    done = subprocess.run(command, input=head.encode() + body, cwd=ROOT, capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def install_peers() -> None:
    """Install FastAPI beside the packages of the gateway, unless it is installed."""
    listed, stamp = HERE / "peers.txt", PEERS / "installed"
    wanted = listed.read_text() + sys.version
    if not stamp.exists() or stamp.read_text() != wanted:
        install(Path(sys.executable), listed, "--upgrade", "--target", str(PEERS))
        stamp.write_text(wanted)


@contextlib.contextmanager
def ours() -> Iterator[Server]:
    """Yield the gateway with one worker, which is the server."""
    port = free_port()
    command = [sys.executable, "-m", "lab.bench.warm.ours"]
    with _started(command, port, "/api/v1/plans", PORT=str(port), WORKERS="1", STORE="memory") as process:
        (worker,) = workers_of(process.pid)
        yield Server(port, worker)


@contextlib.contextmanager
def peer(*options: str) -> Iterator[Server]:
    """Yield FastAPI with one worker; ``options`` are uvicorn's."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "lab.bench.warm.peer:app", "--port", str(port), *options]
    with _started(command, port, "/openapi.json") as process:
        yield Server(port, process.pid)


def environment(**settings: str) -> dict[str, str]:
    """Return the variables of a process that is measured: these settings, and none of the shell's."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    places = os.pathsep.join(map(str, (ROOT / "layers/shared", ROOT, PEERS)))
    return {**kept, "PYTHONPATH": places, "BENCH_API_KEY": KEY, "REGISTRY_COPY": os.devnull, **settings}


@contextlib.contextmanager
def _started(command: list[str], port: int, ready: str, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    # A file, as a service manager's log is: writing it is a part of a call.
    log = ROOT / ".cache/bench-warm" / f"{port}.log"
    with log.open("wb") as sink:
        process = subprocess.Popen(command, cwd=ROOT, env=environment(**settings), stdout=sink, stderr=sink)
    with running(process, f"http://127.0.0.1:{port}{ready}", log, signal.SIGINT):
        yield process
    log.unlink()
