"""``python -m tests.bench.client BIN``: how long the installed client takes to be there.

``BIN`` is the folder of programs of an environment with ``brskills``. Each figure is the best of so many
processes, less what an empty one takes, in milliseconds; bytecode is in place.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

RUNS = 15
CODE = "00020126360014br.gov.bcb.pix0114+55119876543215204000053039865802BR5901A6001B62070503***6304"


def best(*command: str | Path) -> float:
    """Milliseconds of the quickest of the runs."""
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run(command, capture_output=True, check=False)
        times.append(time.perf_counter() - begun)
    return min(times) * 1000


def main() -> None:
    """Print a table."""
    programs = Path(sys.argv[1])
    python = programs / "python"
    empty = best(python, "-c", "pass")
    print(f"| an empty process | {empty:.0f} |")
    for name in ("taxid", "brcode", "brskills", "httpx", "tenacity", "click"):
        print(f"| `import {name}` | {best(python, '-c', f'import {name}') - empty:.0f} |")
    made = "from brskills import Client; Client('k')"
    print(f"| `{made}` | {best(python, '-c', made) - empty:.0f} |")
    for arguments in (("--help",), ("decode", "--local", CODE)):
        shown = " ".join(arguments[:2])
        print(f"| `brskills {shown}` | {best(programs / 'brskills', *arguments) - empty:.0f} |")


if __name__ == "__main__":
    main()
