"""Offline installation of the server into a new folder: ``python3 install.py /opt/brskills-1.2.0``."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Create a virtual environment at the folder of the command line, and install the package into it."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit("usage: python3 install.py FOLDER")
    target = Path(sys.argv[1]).absolute()
    check_python()
    os.umask(0o022)  # the service's user must be able to read it
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise SystemExit(f"{target} is not empty: install into a new folder")
        venv.create(target, with_pip=True, symlinks=True)
    except subprocess.CalledProcessError:
        raise SystemExit("this Python cannot make environments: install its package venv") from None
    except (OSError, ValueError) as wrong:  # ValueError: a colon in the name
        raise SystemExit(f"{target} cannot be written: {wrong}") from None
    pip = ["-I", "-m", "pip", "install", "--require-hashes", "--no-deps", "--isolated", "--quiet"]
    command = [f"{target}/bin/python", *pip, "--disable-pip-version-check", "-r", f"{HERE}/requirements.txt"]
    # pip's configuration on this machine could name other package indexes.
    environment = {**os.environ, "PIP_CONFIG_FILE": os.devnull}
    if subprocess.run(command, check=False, env=environment).returncode:  # noqa: S603, our own words
        raise SystemExit(f"not installed; {target} can be deleted")
    commands = ["server", "admin", *(["copy"] if [*HERE.glob("wheels/duckdb-*")] else [])]
    print("installed:", ", ".join(f"{target}/bin/brskills-{name}" for name in commands))


def check_python() -> None:
    """Raise ``SystemExit`` if the wheels are for other Pythons or machines."""
    built = {
        (f"{major}.{minor}", machine)
        for wheel in HERE.glob("wheels/*.whl")
        for major, minor, machine in re.findall(r"-cp(\d)(\d+)-cp.+_(x86_64|aarch64)\.whl$", wheel.name)
    }
    this = f"{sys.version_info.major}.{sys.version_info.minor}", platform.machine()
    if sys.implementation.name != "cpython" or sys.platform != "linux" or this not in built:
        wanted = ", ".join(f"{version} on {machine}" for version, machine in sorted(built))
        raise SystemExit(f"CPython on Linux is needed, one of: {wanted}; this is {' on '.join(this)}")


if __name__ == "__main__":
    main()
