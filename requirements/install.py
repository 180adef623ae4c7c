"""``python requirements/install.py LIST``: pip with a list of packages, telling how far it is.

The lists are whole: an older pip that resolves them itself loses packages that are asked for with extras.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from lock import pins

PIP = ["pip", "install", "--disable-pip-version-check", "--progress-bar=off", "--require-hashes", "--no-deps"]
# What pip says of each package, once; and before it unpacks them all.
OF_A_PACKAGE = ("Collecting ", "Processing ", "Requirement already satisfied: ")
OF_ALL = "Installing collected packages"
EVERY_SECONDS = 5.0


def main() -> None:
    """Install them; ends with pip's own words where it cannot."""
    listed = Path(sys.argv[1])
    most, started = len(pins(listed)), time.monotonic()
    say(f"{listed.name}: at most {most} packages, by pip; without a word for seconds at a time")
    said, found, told = [], 0, started
    command = [sys.executable, "-m", *PIP, "-r", str(listed)]
    with subprocess.Popen(  # noqa: S603, our own words
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        for line in pip.stdout or ():
            said.append(line)
            found += line.startswith(OF_A_PACKAGE)
            if line.startswith(OF_ALL):
                say(f"unpacking {found}")
            elif time.monotonic() > told + EVERY_SECONDS:
                told = time.monotonic()
                say(f"{found} of them after {told - started:.0f} s")
    if pip.returncode:
        sys.exit("".join(said))
    say(f"done in {time.monotonic() - started:.0f} s")


def say(text: str) -> None:
    """A line for whoever waits."""
    print(f"  {text}", flush=True)


if __name__ == "__main__":
    main()
