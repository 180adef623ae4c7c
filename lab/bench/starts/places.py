"""The folders to import from: the layers as they are deployed, the functions, and the peers' packages.

They are in `.cache/bench-starts`, with bytecode except for the functions' own files, which are uploaded
without and compiled at each start.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

from tests.packages import install

__all__ = ["PEERS", "ROOT", "Built", "install_peers"]

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PLACE = ROOT / ".cache" / "bench-starts"
PEERS = PLACE / "peers"
LAYERS_OF = {"oauth": "OauthLayer"}
"""The layer that a function has beside the shared one."""


class Built:
    """The layers of a checkout, built anew, for they are what is measured, and its functions."""

    def __init__(self, checkout: Path, name: str) -> None:
        self._place = PLACE / name
        shutil.rmtree(self._place, ignore_errors=True)
        ignored = shutil.ignore_patterns("__pycache__", "viewer")
        shutil.copytree(checkout / "functions", self._place / "functions", ignore=ignored)
        for layer in ("shared", "oauth"):
            self._build_layer(checkout / "layers" / layer)

    @property
    def handler(self) -> str:
        """The module of the functions' handler; before the server had a namespace, ``wiring.start``."""
        found = list(self._place.glob("SharedLayer/python/brskills_server/runtime/start.py"))
        return "brskills_server.runtime.start" if found else "wiring.start"

    def folders_of(self, function: str) -> tuple[Path, ...]:
        """What a function imports from."""
        layers = ("SharedLayer", *filter(None, [LAYERS_OF.get(function)]))
        return (*(self._place / layer / "python" for layer in layers), self._place / "functions" / function)

    def _build_layer(self, folder: Path) -> None:
        target = f"{folder.name.capitalize()}Layer"
        command = ["make", "--silent", "-C", str(folder), f"build-{target}", "LOCAL=1"]
        built = self._place / target
        subprocess.run([*command, f"PYTHON={sys.executable}", f"ARTIFACTS_DIR={built}"], check=True)
        _check_bytecode(built)


def install_peers() -> None:
    """The packages of the layer, as they are published, and the peers', if they are not there yet."""
    lists = [ROOT / "layers/shared/requirements.txt", HERE / "peers.txt"]
    stamp, wanted = PEERS / "installed", "".join(file.read_text() for file in lists) + sys.version
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(PEERS, ignore_errors=True)
        for listed in lists:
            install(Path(sys.executable), listed, "--no-compile", "--target", str(PEERS))
        # As the layers' bytecode: good whatever the files' dates, which a copy of the folder would change.
        compiled = ["compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash", str(PEERS)]
        subprocess.run([sys.executable, "-m", *compiled], check=True)
        stamp.write_text(wanted)
    _check_bytecode(PEERS)


def _check_bytecode(folder: Path) -> None:
    """Raise ``RuntimeError`` where a module would be compiled as it is imported."""
    for source in folder.rglob("*.py"):
        if not Path(cache_from_source(os.fspath(source))).exists():
            raise RuntimeError(f"{source} has no bytecode")
