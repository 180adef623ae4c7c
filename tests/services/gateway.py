"""The gateway as ``make run`` starts it, and a DynamoDB, on free ports, as long as a ``with`` block."""

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import httpx

ROOT = Path(__file__).parent.parent.parent
VENV = ROOT / os.environ.get("VENV", ".venv")
READY_SECONDS = 60

# Below the ports that systems assign to connections, which could take one before its server does.
# Each process begins at another port.
_PLACES = 22_000
_ports = itertools.cycle(10_000 + (os.getpid() * 7919 + place) % _PLACES for place in range(_PLACES))


def environment_of(tool: str) -> Path:
    """Return the environment that `make` installs for a tool, beside that of the tests."""
    return VENV.with_name(f"{VENV.name}-{tool}")


def free_port() -> int:
    """Return a port at which nothing listens, and which no connection and no other call here gets."""
    for port in itertools.islice(_ports, _PLACES):
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("every port is taken")


def wait_until_ready(url: str, process: subprocess.Popen[bytes], output: Path | None = None) -> None:
    """Return when ``url`` answers. Raise ``RuntimeError`` with ``output`` if the process ends instead."""
    deadline = time.monotonic() + READY_SECONDS
    with httpx.Client(timeout=5) as http:  # to make one takes longer than to ask
        while time.monotonic() < deadline:
            if process.poll() is not None:
                said = output.read_text() if output else "unknown output"
                raise RuntimeError(f"ended with {process.returncode} before it was ready: {said}")
            with contextlib.suppress(httpx.TransportError):
                if http.get(url).status_code < 500:
                    return
            time.sleep(0.1)
    raise RuntimeError(f"{url} was not ready in {READY_SECONDS} s")


def eventually(
    holds: Callable[[], object], seconds: float = READY_SECONDS, state: Callable[[], object] = str
) -> None:
    """Return once ``holds`` does. Raise ``TimeoutError`` with the present ``state`` if it does not."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds:.0f} s {state()}")
        time.sleep(0.05)


@contextlib.contextmanager
def running(
    process: subprocess.Popen[bytes], url: str, output: Path | None = None, end: int = signal.SIGTERM
) -> Iterator[str]:
    """Yield the origin of ``url`` once the process answers there; end the process with this signal."""
    try:
        wait_until_ready(url, process, output)
        yield "/".join(url.split("/")[:3])
    finally:
        process.send_signal(end)
        try:
            process.wait(READY_SECONDS)
        finally:
            process.kill()


@contextlib.contextmanager
def store(address: str = "127.0.0.1") -> Iterator[str]:
    """Yield the address of a DynamoDB without tables, in a separate process."""
    port = free_port()
    command = [sys.executable, "-m", "tests.services.dynamodb", str(port), address]
    with running(subprocess.Popen(command, cwd=ROOT), f"http://{address}:{port}") as base:
        yield base


def start(
    port: int,
    output: Path | None = None,
    descriptors: int = 0,
    *,
    root: Path = ROOT,
    arguments: Sequence[str] = (),
    **environment: str,
) -> subprocess.Popen[bytes]:
    """Start a gateway with these environment variables; its output goes to a file if one is given.

    ``root``: its checkout. ``arguments``: of its command line.
    ``descriptors``: its limit of open files, if not that of this process.
    """
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "POWERTOOLS_", "STORE", "BRSKILLS_")) and not name.endswith("_URL")
    }
    settings = {"PYTHONPATH": "layers/shared", "PORT": str(port), "WORKERS": "2", **environment}
    if "AWS_ENDPOINT_URL_DYNAMODB" in settings:
        settings.setdefault("STORE_TIMEOUT_SECONDS", "5")  # it shares this machine's processors
    else:
        settings.setdefault("STORE", "memory")  # not the store of the checkout
    settings.setdefault("REGISTRY_COPY", os.devnull)  # likewise
    command = [sys.executable, "-m", settings.pop("MODULE", "brskills_server.gateway"), *arguments]
    if descriptors:
        command = ["sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh", *command]
    with (output or Path(os.devnull)).open("wb") as sink:
        return subprocess.Popen(
            command, cwd=root, env=inherited | settings, stdout=sink, stderr=subprocess.STDOUT
        )


@contextlib.contextmanager
def gateway(output: Path | None = None, descriptors: int = 0, **environment: str) -> Iterator[str]:
    """Yield the base URL of a gateway that is ready; see :func:`start`."""
    port = free_port()
    process = start(port, output, descriptors, **environment)
    with running(process, f"http://127.0.0.1:{port}/api/v1/plans", output, signal.SIGINT) as base:
        yield base
