"""Draw flame graphs of a Pix call, a stored company and a batch: ``python -m lab.bench.flames``.

py-spy samples a process that calls a handler over and over, over a store that takes next to no time
(``lab.bench.registry.canned``). With a name (``pix``) the module is that process.
"""

import subprocess
import sys
from pathlib import Path

from lab.bench.registry import stored
from lab.bench.service import __main__ as service
from tests.packages import install

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
TOOLS, DRAWN = ROOT / ".cache/bench-flames/tools", ROOT / ".cache/bench-flames"
CALLS = {"pix": 4_000, "stored": 2_000, "batch": 200}


def main() -> None:
    """Draw all of them, and print where."""
    if not TOOLS.exists():
        install(Path(sys.executable), HERE / "tools.txt", "--target", str(TOOLS))
    for name in CALLS:
        drawn = DRAWN / f"{name}.svg"
        sampler = [str(TOOLS / "bin/py-spy"), "record", "--rate", "400", "--output", str(drawn)]
        called = [sys.executable, "-m", "lab.bench.flames", name]
        subprocess.run([*sampler, "--", *called], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
        print(drawn.relative_to(ROOT))


def repeat(name: str) -> None:
    """Call a handler as often as its flame graph needs."""
    with service.steps() if name == "pix" else stored.steps() as steps:
        call = steps[service.WHOLE if name == "pix" else name]
        for _ in range(CALLS[name]):
            call()


if __name__ == "__main__":
    repeat(sys.argv[1]) if sys.argv[1:] else main()
