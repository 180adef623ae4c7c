"""The server as a customer installs it: from the archive, outside of the checkout, in a bare environment."""

import contextlib
import platform
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

from brskills_server.runtime.settings import VERSION
from tests.services.gateway import ROOT, free_port, running

SERVER = "brskills-server"
WITH_COPY = "brskills-server-with-copy"


MADE_BY_SITE = [
    *(ROOT / "functions/site" / name for name in ("static/viewer", "guides", "clients")),
    ROOT / "functions/mcp/cards",
]


def archive_of(name: str) -> Path:
    """What `make package` has built of this name, for this machine."""
    return ROOT / f"dist/{name}-{VERSION}-linux-{platform.machine()}.tar.gz"


def bare(folder: Path) -> dict[str, str]:
    """An environment with nothing of this checkout's, nor of this machine's set-up for packages."""
    return {"PATH": "/usr/bin:/bin", "HOME": str(folder)}


def unpack(folder: Path, name: str = SERVER) -> Path:
    """The package's own folder, out of the archive."""
    with tarfile.open(archive_of(name)) as archive:
        archive.extractall(folder, filter="data")
    return folder / f"{name}-{VERSION}"


def install(unpacked: Path, target: Path) -> None:
    """Install what was unpacked, as its documentation says, into ``target``: by a root of strict habits."""
    command = [sys.executable, unpacked / "install.py", target]
    subprocess.run(command, cwd=unpacked.parent, env=bare(unpacked.parent), check=True, umask=0o077)


@contextlib.contextmanager
def package(folder: Path, **settings: str) -> Iterator[str]:
    """The base URL of an installed server with these settings; all of it is in ``folder``."""
    install(unpack(folder), folder / "installed")
    with served(folder / "installed", folder, **settings) as base:
        yield base


@contextlib.contextmanager
def served(installed: Path, folder: Path, **settings: str) -> Iterator[str]:
    """Yield the base URL of an installed server, whose data is in ``folder``."""
    port = free_port()
    environment = {"PORT": str(port), "STORE": f"sqlite:///{folder}/brskills.db", **settings}
    command = [installed / "bin/brskills-server"]
    process = subprocess.Popen(command, cwd=folder, env={**bare(folder), **environment})
    with running(process, f"http://127.0.0.1:{port}/api/v1/plans") as base:
        yield base
