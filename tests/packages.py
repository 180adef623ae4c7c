"""Installing a list of packages into a new environment."""

from __future__ import annotations

import subprocess
from pathlib import Path

__all__ = ["install"]


def install(python: Path, listed: Path, *options: str) -> None:
    """Install what ``make lock`` wrote into ``listed``, every file checked by its hashes."""
    pip = [python, "-m", "pip", "install", "--require-hashes", "--no-deps", "--quiet", *options]
    subprocess.run([*pip, "--disable-pip-version-check", "-r", listed], check=True)
