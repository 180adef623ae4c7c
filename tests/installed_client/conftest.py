"""The client built by ``make dist`` in an environment without other packages, and a service."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import venv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from brskills_server.runtime.settings import VERSION
from tests.packages import install
from tests.services.gateway import ROOT, VENV, gateway
from tests.simulator import Simulator

DIST = ROOT / "dist"
WHEEL, SDIST = DIST / f"brskills-{VERSION}-py3-none-any.whl", DIST / f"brskills-{VERSION}.tar.gz"
CODES = DIST / f"brskills_codes-{VERSION}-py3-none-any.whl"
CODES_SDIST = DIST / f"brskills_codes-{VERSION}.tar.gz"


@dataclass(frozen=True)
class Installed:
    """An environment with the client; commands run in a folder outside of the checkout."""

    bin: Path
    home: Path
    settings: dict[str, str] = field(default_factory=dict)
    account: str = ""

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "LANG": "en_US.UTF-8", **self.settings}

    def command(self, *arguments: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run ``brskills``."""
        return self.run(self.bin / "brskills", *arguments, given=given)

    def python(self, script: str) -> str:
        """Return the output of a script."""
        done = self.run(self.bin / "python", "-c", script)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, *command: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            input=given,
            capture_output=True,
            text=True,
            cwd=self.home,
            env=self.environment,
            check=False,
            timeout=300,
        )

    def start(self, *arguments: str | Path, output: Path) -> subprocess.Popen[bytes]:
        """Start ``brskills`` with its output in a file."""
        with output.open("ab") as sink:
            return subprocess.Popen(
                [self.bin / "brskills", *arguments],
                cwd=self.home,
                env=self.environment,
                stdout=sink,
                stderr=sink,
            )


def environment(folder: Path, *listed: Path, wheels: Iterable[Path] = (WHEEL, CODES)) -> Path:
    """Return the programs of a new environment with these lists of packages and these wheels."""
    venv.create(folder, with_pip=True)
    own = folder / "own.txt"
    digests = {wheel: hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels}
    own.write_text("".join(f"{wheel} --hash=sha256:{digest}\n" for wheel, digest in digests.items()))
    for packages in (*listed, own):
        install(folder / "bin" / "python", packages)
    return folder / "bin"


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the client and its requirements."""
    return environment(tmp_path_factory.mktemp("client") / "venv", ROOT / "requirements/client.txt")


@pytest.fixture
def alone(programs: Path, tmp_path: Path) -> Installed:
    """An installation without a service and a key."""
    return Installed(programs, tmp_path)


@dataclass(frozen=True)
class Service:
    """A gateway with simulated providers; ``store`` is its file."""

    base: str
    store: str
    providers: Simulator

    def admin(self, *arguments: str) -> str:
        """Run the operator's command."""
        done = subprocess.run(
            [VENV / "bin/python", "-m", "brskills_server.admin", *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": "layers/shared", "STORE": self.store},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    store = f"sqlite:///{tmp_path_factory.mktemp('store')}/brskills.db"
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        names = "opencnpj,brasilapi,cnpja"
        with gateway(STORE=store, SIGNUPS_PER_DAY="1000", REGISTRY_PROVIDERS=names, **urls) as base:
            yield Service(base, store, providers)


@pytest.fixture
def client(programs: Path, tmp_path: Path, service: Service) -> Installed:
    """Return an installation with its own account and key file."""
    made = Installed(programs, tmp_path, {"BRSKILLS_URL": service.base})
    done = made.command("chave", "--json")
    assert done.returncode == 0, done.stderr
    return replace(made, account=json.loads(done.stdout)["id"])
