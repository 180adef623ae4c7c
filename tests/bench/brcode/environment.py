"""Where the peers live: `.cache/bench-peers`, made on first use from the pinned versions beside this file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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
    """Whether the peer of the JavaScript world can take part."""
    return shutil.which("node") is not None and shutil.which("npm") is not None


def run(python: Path | str, script: str, argument: str, source: str = "") -> str:
    """What a script of this folder prints, given ``argument`` on its standard input."""
    environment = {**os.environ, "PYTHONPATH": source, "PYTHONHASHSEED": "0"}
    return subprocess.run(
        [str(python), str(HERE / script)],
        input=argument,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def ours(script: str, argument: str) -> str:
    """The same under this interpreter, with the project's packages."""
    return run(sys.executable, script, argument, str(ROOT / "layers" / "shared"))


def theirs(script: str, argument: str) -> str:
    """The same in the peers' environment: one of them calls its package ``brcode`` too."""
    return run(PYTHON, script, argument)


def node(argument: str) -> str:
    """The JavaScript peer's answer."""
    script = NODE / "peer.cjs"
    shutil.copy(HERE / "peer.cjs", script)
    return subprocess.run(
        ["node", script.name], cwd=NODE, input=argument, capture_output=True, text=True, check=True
    ).stdout
