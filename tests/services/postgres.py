"""A PostgreSQL server on loopback, in a temporary folder: Debian's, or the one that a package carries.

``make e2e-postgres`` installs the package; where Debian's is installed, ``make test`` uses it too.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

from tests.services.gateway import environment_of, free_port

START_SECONDS = 60
_CARRIED = sorted((environment_of("postgres")).glob("lib/python3*/site-packages/*pgserver/pginstall/bin"))
_DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))


def programs() -> Path | None:
    """The folder of ``initdb`` and ``postgres``, if there is one on this machine."""
    return next((folder for folder in [*_CARRIED, *reversed(_DEBIAN)] if (folder / "initdb").exists()), None)


class Server:
    """A server with an address; it can be killed, paused and started again over the same files."""

    def __init__(self, bin_folder: Path, folder: Path) -> None:
        self._bin = bin_folder
        self._data = folder / "data"
        self._output = folder / "output.txt"
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._user = None
        if os.getuid() == 0:  # it refuses to be run by root, and nobody else may look into our folders
            self._user = pwd.getpwnam("nobody").pw_uid
            os.chown(folder, self._user, -1)
            if bin_folder in _CARRIED:
                self._bin = _copied(bin_folder, folder)
        self._run(
            *("initdb", "--no-sync", "-D", str(self._data)),
            *("-U", "brskills", "-A", "trust", "-E", "UTF8", "--locale=C"),
        )

    @property
    def url(self) -> str:
        """The address of the first database, which brskills makes its tables in."""
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        return f"postgresql://brskills@127.0.0.1:{self.port}/{database}"

    def new_database(self, name: str, encoding: str = "UTF8") -> str:
        """The address of a database with nothing in it."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            statement = f'CREATE DATABASE "{name}" TEMPLATE template0 ENCODING {encoding}'
            connection.execute(statement.encode())
        return self.url_of(name)

    def new_schema(self, name: str) -> str:
        """The address of an empty schema of the first database, which is made sooner than a database."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f'CREATE SCHEMA "{name}"'.encode())
        return f"{self.url}?options=-csearch_path%3D{name}"

    def start(self, **settings: str | int) -> None:
        """Start it with these settings and wait until it answers."""
        given = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "max_connections": 300,
            "fsync": "off",  # processes are killed here, but the machine is not: what was written stays
            **settings,
        }
        arguments = [part for name, value in given.items() for part in ("-c", f"{name}={value}")]
        with self._output.open("ab") as output:
            self.process = subprocess.Popen(
                [self._bin / "postgres", "-D", self._data, *arguments],
                stdout=output,
                stderr=subprocess.STDOUT,
                user=self._user,
                cwd=self._data,
            )
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                psycopg.connect(self.url, connect_timeout=2).close()
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise RuntimeError(self._output.read_text()) from None
                time.sleep(0.05)
            else:
                return

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal (``SIGINT`` stops it at once and in order)."""
        assert self.process is not None
        self.process.send_signal(number)

    def signal_sessions(self, number: signal.Signals) -> None:
        """Send the processes that serve connections a signal."""
        assert self.process is not None
        found = subprocess.run(
            ["pgrep", "-P", str(self.process.pid), "-f", "brskills"],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        for session in found.stdout.split():
            os.kill(int(session), number)

    def stop(self) -> None:
        """Stop it and wait until it has ended."""
        if self.process is not None and self.process.poll() is None:
            self.signal(signal.SIGINT)
            self.process.wait(START_SECONDS)

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.process is not None and self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGQUIT)
            self.process.wait(START_SECONDS)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._bin / program, *arguments],
            check=True,
            user=self._user,
            stdout=subprocess.DEVNULL,
            cwd=self._data.parent,
        )


def _copied(bin_folder: Path, folder: Path) -> Path:
    """The programs with the libraries that lie beside their package."""
    package = bin_folder.parents[1]
    for part in package.parent.glob(f"{package.name}*"):
        shutil.copytree(part, folder / part.name)
    return folder / package.name / "pginstall" / "bin"


@contextlib.contextmanager
def postgres() -> Iterator[Server]:
    """A server that answers; its files go with it."""
    found = programs()
    if found is None:
        raise RuntimeError(
            "no PostgreSQL server: make e2e-postgres installs one, or apt-get install postgresql"
        )
    folder = Path(tempfile.mkdtemp(prefix="brskills-postgres-"))
    server = Server(found, folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder)
