"""What is imported from: the layers as they are deployed, the functions' folders, the peers' packages.

All of it lies in `.cache/bench-starts` with its bytecode in place, but for the functions' own files: these
are uploaded without, and compiled at each start.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

from tests.packages import install

__all__ = ["FUNCTIONS", "LAYER", "LAYERS_OF", "PEERS", "prepare"]

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PLACE = ROOT / ".cache" / "bench-starts"
PEERS = PLACE / "peers"
LAYER = PLACE / "SharedLayer" / "python"
FUNCTIONS = PLACE / "functions"
LAYERS_OF = {"oauth": PLACE / "OauthLayer" / "python"}
"""The layer that a function has beside the shared one."""


def prepare() -> None:
    """Build and install what is not there yet; the layers anew, for they are what is measured."""
    _install_peers()
    for name in ("shared", "oauth"):
        _build_layer(name)
    shutil.rmtree(FUNCTIONS, ignore_errors=True)
    shutil.copytree(ROOT / "functions", FUNCTIONS, ignore=shutil.ignore_patterns("__pycache__", "viewer"))
    for folder in (PEERS, LAYER, *LAYERS_OF.values()):
        _check_bytecode(folder)


def _build_layer(name: str) -> None:
    target = f"{name.capitalize()}Layer"
    shutil.rmtree(PLACE / target, ignore_errors=True)
    command = ["make", "--silent", "-C", str(ROOT / "layers" / name), f"build-{target}", "LOCAL=1"]
    subprocess.run([*command, f"PYTHON={sys.executable}", f"ARTIFACTS_DIR={PLACE / target}"], check=True)


def _install_peers() -> None:
    """The packages of the layer, as they are published, and the peers'."""
    lists = [ROOT / "layers/shared/requirements.txt", HERE / "peers.txt"]
    stamp, wanted = PEERS / "installed", "".join(file.read_text() for file in lists) + sys.version
    if stamp.exists() and stamp.read_text() == wanted:
        return
    shutil.rmtree(PEERS, ignore_errors=True)
    for listed in lists:
        install(Path(sys.executable), listed, "--no-compile", "--target", str(PEERS))
    # As the layers' bytecode: good whatever the files' dates, which a copy of the folder would change.
    compiled = ["compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash", str(PEERS)]
    subprocess.run([sys.executable, "-m", *compiled], check=True)
    stamp.write_text(wanted)


def _check_bytecode(folder: Path) -> None:
    """Raise ``RuntimeError`` where a module would be compiled as it is imported."""
    for source in folder.rglob("*.py"):
        if not Path(cache_from_source(os.fspath(source))).exists():
            raise RuntimeError(f"{source} has no bytecode")
