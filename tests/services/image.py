"""The container of `make image`, with as few rights as it is documented to need."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

from brskills_server.runtime.settings import VERSION
from tests.services.gateway import eventually, free_port, running

IMAGE = f"brskills-server:{VERSION}"
HARDENED = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=host"]


@contextlib.contextmanager
def image(packages: Path, **settings: str) -> Iterator[str]:
    """Yield the base URL of a container with these settings, on loopback alone, once it is healthy.

    ``packages``: a folder of custom skills, mounted as /packages.
    """
    port = free_port()
    name = f"brskills-{port}"
    environment = {"HOST": "127.0.0.1", "PORT": str(port), "PYTHONPATH": "/packages", **settings}
    options = [f"--env={variable}={value}" for variable, value in environment.items()]
    options.append(f"--volume={packages}:/packages:ro")
    packages.chmod(0o755)  # another user reads it
    process = subprocess.Popen(["docker", "run", "--rm", f"--name={name}", *HARDENED, *options, IMAGE])
    with running(process, f"http://127.0.0.1:{port}/api/v1/plans") as base:  # docker passes the signal on
        inspect = ["docker", "inspect", "--format={{.State.Health.Status}}", name]
        eventually(lambda: subprocess.check_output(inspect, text=True).strip() == "healthy")
        yield base
