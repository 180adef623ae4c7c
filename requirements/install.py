"""``python requirements/install.py LIST``: install a complete list of packages with pip and show progress."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from lock import pins

PIP = ["pip", "install", "--disable-pip-version-check", "--progress-bar=off", "--require-hashes", "--no-deps"]
PACKAGE_LINES = ("Collecting ", "Processing ", "Requirement already satisfied: ")
UNPACKING = "Installing collected packages"
REPORT_SECONDS = 5.0


def main() -> None:
    """Install the list. Exit with pip's output if it fails."""
    listed = Path(sys.argv[1])
    started = reported = time.monotonic()
    report(f"{listed.name}: up to {len(pins(listed))} packages, by pip")
    output, found = [], 0
    command = [sys.executable, "-m", *PIP, "-r", str(listed)]
    with subprocess.Popen(  # noqa: S603, a fixed command
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        for line in pip.stdout or ():
            output.append(line)
            found += line.startswith(PACKAGE_LINES)
            if line.startswith(UNPACKING):
                report(f"unpacking {found}")
            elif time.monotonic() > reported + REPORT_SECONDS:
                reported = time.monotonic()
                report(f"{found} packages after {reported - started:.0f} s")
    if pip.returncode:
        sys.exit("".join(output))
    report(f"done in {time.monotonic() - started:.0f} s")


def report(text: str) -> None:
    """Print a line of progress."""
    print(f"  {text}", flush=True)


if __name__ == "__main__":
    main()
