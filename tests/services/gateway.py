"""The gateway as ``make run`` starts it, and a DynamoDB, on free ports, as long as a test needs them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

ROOT = Path(__file__).parent.parent.parent
READY_SECONDS = 60


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def wait_until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    with httpx.Client(timeout=5) as http:  # to make one takes longer than to ask
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise RuntimeError(f"ended with {process.returncode} before it was ready")
            with contextlib.suppress(httpx.TransportError):
                if http.get(url).status_code < 500:
                    return
            time.sleep(0.1)
    raise RuntimeError(f"{url} was not ready in {READY_SECONDS} s")


@contextlib.contextmanager
def store(address: str = "127.0.0.1") -> Iterator[str]:
    """The address of a DynamoDB without tables, in a process of its own."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.services.dynamodb", str(port), address], cwd=ROOT
    )
    try:
        wait_until_ready(f"http://{address}:{port}", process)
        yield f"http://{address}:{port}"
    finally:
        process.terminate()
        process.wait(30)


def start(port: int, output: Path | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """A gateway's process with these environment variables; its output goes to a file if asked."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "POWERTOOLS_", "STORE")) and not name.endswith("_URL")
    }
    settings = {"PYTHONPATH": "layers/shared", "PORT": str(port), "WORKERS": "3", **environment}
    if "AWS_ENDPOINT_URL_DYNAMODB" in settings:
        settings.setdefault("STORE_TIMEOUT_SECONDS", "5")  # it shares this machine's processors
    else:
        settings.setdefault("STORE", "memory")  # not what a developer keeps in the checkout
    settings.setdefault("REGISTRY_COPY", os.devnull)  # nor this
    with (output or Path(os.devnull)).open("wb") as sink:
        return subprocess.Popen(
            [sys.executable, "-m", settings.pop("MODULE", "gateway")],
            cwd=ROOT,
            env=inherited | settings,
            stdout=sink,
            stderr=subprocess.STDOUT,
        )


@contextlib.contextmanager
def gateway(output: Path | None = None, **environment: str) -> Iterator[str]:
    """The base URL of a gateway that is ready; see :func:`start`."""
    port = free_port()
    process = start(port, output, **environment)
    try:
        wait_until_ready(f"http://127.0.0.1:{port}/api/v1/plans", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
