"""The environments of the peers in `.cache/bench-peers`, made on first use from the pinned versions here."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.packages import install

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PEERS = ROOT / ".cache" / "bench-peers"
PYTHON = PEERS / "venv" / "bin" / "python"
NODE = PEERS / "node"


def prepare() -> None:
    """Install the peers, unless these versions are installed already."""
    stamp = PEERS / "installed"
    listed = [HERE / name for name in ("build.txt", "peers.txt", "package.json")]
    wanted = "".join(file.read_text() for file in listed) + sys.version
    if stamp.exists() and stamp.read_text() == wanted:
        return
    PEERS.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", PEERS / "venv"], check=True)
    install(PYTHON, HERE / "build.txt")
    install(PYTHON, HERE / "peers.txt", "--no-build-isolation")
    if has_node():
        NODE.mkdir(exist_ok=True)
        shutil.copy(HERE / "package.json", NODE)
        npm = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"]
        subprocess.run(npm, cwd=NODE, check=True, stderr=subprocess.DEVNULL)
    stamp.write_text(wanted)


def has_node() -> bool:
    """Return whether the JavaScript peer can run."""
    return shutil.which("node") is not None and shutil.which("npm") is not None


def run(contender: str, inputs: list[Any], *, codes: bool = False, measure: bool = False) -> list[Any]:
    """Return a contender's results for charges or codes, in its own process.

    Peers run in their own environment: one of them calls its package ``brcode`` too.
    """
    is_ours = contender.startswith(("brskills", "floor"))
    order = {"contender": contender, "codes" if codes else "charges": inputs, "measure": measure}
    source = str(ROOT / "layers" / "shared") if is_ours else ""
    done = subprocess.run(
        [sys.executable if is_ours else str(PYTHON), str(HERE / "contenders.py")],
        input=json.dumps(order),
        env={**os.environ, "PYTHONPATH": source, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def run_node(charges: list[Any]) -> list[Any]:
    """Return the JavaScript peer's answers."""
    shutil.copy(HERE / "peer.cjs", NODE)
    done = subprocess.run(
        ["node", "peer.cjs"], cwd=NODE, input=json.dumps(charges), capture_output=True, text=True, check=True
    )
    found: list[Any] = json.loads(done.stdout)
    return found
