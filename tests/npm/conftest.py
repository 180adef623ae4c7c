"""The npm package built by ``make dist-npm``, installed into a project without other packages."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from brskills_server.runtime.settings import VERSION
from lab.clients.environments import node
from tests.services.gateway import ROOT

TARBALL = ROOT / "dist" / f"brskills-{VERSION}.tgz"


@dataclass(frozen=True)
class Project:
    """A folder outside of the checkout, and the environment that its programs run in."""

    folder: Path
    environment: Mapping[str, str]

    def run(self, *command: str | Path, given: str = "", **settings: str) -> str:
        """Return the output of a program, which must succeed. ``given``: its input."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**self.environment, **settings},
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = shutil.copytree(ROOT / "tests/npm/consumer", tmp_path_factory.mktemp("npm") / "consumer")
    own = {name: value for name, value in node().items() if not name.startswith("BRSKILLS_")}
    made = Project(folder, own)
    made.run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", TARBALL, NODE_OPTIONS="")
    return made
