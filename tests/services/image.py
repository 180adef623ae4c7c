"""The container of `make image`, with as few rights as it is documented to need."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from brskills_server.runtime.settings import VERSION
from tests.services.gateway import READY_SECONDS, free_port, wait_until_ready

__all__ = ["HARDENED", "IMAGE", "image"]

IMAGE = f"brskills-server:{VERSION}"
HARDENED = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=host"]


@contextlib.contextmanager
def image(packages: Path, **settings: str) -> Iterator[str]:
    """The base URL of a container with these settings, on loopback alone, once Docker finds it healthy.

    ``packages``: a folder of custom skills, which it sees as /packages.
    """
    port = free_port()
    name = f"brskills-{port}"
    environment = {"HOST": "127.0.0.1", "PORT": str(port), "PYTHONPATH": "/packages", **settings}
    options = [f"--env={variable}={value}" for variable, value in environment.items()]
    options.append(f"--volume={packages}:/packages:ro")
    packages.chmod(0o755)  # another user reads it
    process = subprocess.Popen(["docker", "run", "--rm", f"--name={name}", *HARDENED, *options, IMAGE])
    try:
        wait_until_ready(f"http://127.0.0.1:{port}/api/v1/plans", process)
        _wait_until_healthy(name)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()  # docker hands the signal on
        process.wait(60)


def _wait_until_healthy(name: str) -> None:
    command = ["docker", "inspect", "--format={{.State.Health.Status}}", name]
    deadline = time.monotonic() + READY_SECONDS
    while (
        state := subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    ) != "healthy":
        if time.monotonic() > deadline:
            raise RuntimeError(f"the container is {state}")
        time.sleep(0.2)
