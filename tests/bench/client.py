"""``python -m tests.bench.client BIN``: how long the installed client takes to be there.

``BIN`` is the folder of programs of an environment with ``brskills``. Each figure is the least processor time
of so many processes, less what an empty one takes, in milliseconds; bytecode is in place. Processor time, for
other processes on the machine stretch the other kind.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

RUNS = 15
CODE = "00020126360014br.gov.bcb.pix0114+55119876543215204000053039865802BR5901A6001B62070503***6304"


def least(*command: str | Path) -> float:
    """Milliseconds of the run that took least."""
    return min(_processor_time([str(part) for part in command]) for _ in range(RUNS)) * 1000


def _processor_time(command: list[str]) -> float:
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=quiet)
    used = os.wait4(process, 0)[2]
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print a table."""
    programs = Path(sys.argv[1]).resolve()
    python = programs / "python"
    empty = least(python, "-c", "pass")
    print(f"| an empty process | {empty:.0f} |")
    for name in ("taxid", "brcode", "brskills", "httpx", "tenacity", "click"):
        print(f"| `import {name}` | {least(python, '-c', f'import {name}') - empty:.0f} |")
    made = "from brskills import Client; Client('k')"
    print(f"| `{made}` | {least(python, '-c', made) - empty:.0f} |")
    for arguments in (("--help",), ("decode", "--local", CODE)):
        shown = " ".join(arguments[:2])
        print(f"| `brskills {shown}` | {least(programs / 'brskills', *arguments) - empty:.0f} |")


if __name__ == "__main__":
    main()
