"""The wheels of the package: the server's own, and those of everything that it needs."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

__all__ = ["ROOT", "build_server", "download", "list_with_hashes"]

ROOT = Path(__file__).parent.parent

_PLATFORMS = ("manylinux2014", "manylinux_2_28")
"""The oldest first: systems with glibc 2.17, or 2.28 where a package has nothing older."""


def build_server(folder: Path) -> Path:
    """Build the server's wheel into ``folder``: the same bytes wherever the same files are."""
    subprocess.run(  # noqa: S603, our own words
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return next(folder.glob("brskills_server-*.whl"))


def download(listed: Path, folder: Path, machine: str, pythons: Sequence[str]) -> None:
    """Fetch all that is in a list, for Linux on a ``machine`` and each of these versions of Python.

    Raises SystemExit with one line after pip's own.
    """
    options = [
        "--quiet",
        "--disable-pip-version-check",
        "--require-hashes",
        "--no-deps",
        "--only-binary=:all:",
    ]
    platforms = [f"--platform={platform}_{machine}" for platform in _PLATFORMS]
    pip = [sys.executable, "-m", "pip", "download", *options, *platforms, f"--requirement={listed}"]
    for version in pythons:
        command = [*pip, f"--python-version={version}", f"--dest={folder}"]
        if subprocess.run(command, check=False).returncode:  # noqa: S603, our own words
            raise SystemExit(f"not all packages can be had for Python {version} on {machine}")


def list_with_hashes(listed: Path, server: Path) -> str:
    """One list of the server's wheel and of all that it needs, to be installed from the folder ``wheels``."""
    name, version, *_ = server.name.split("-")
    digest = hashlib.sha256(server.read_bytes()).hexdigest()
    own = f"{name.replace('_', '-')}=={version} \\\n    --hash=sha256:{digest}\n"
    return "".join(["--no-index\n--find-links wheels\n--only-binary :all:\n", own, *_entries(listed)])


def _entries(listed: Path) -> Iterator[str]:
    text = listed.read_text(encoding="utf-8")
    for included in re.findall("^-r (.+)$", text, re.MULTILINE):
        yield from _entries(listed.parent / included)
    yield re.sub("^[#-].*\n", "", text, flags=re.MULTILINE)
