"""The wheels of the package: the server and its dependencies."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent

CODES = ROOT / "layers" / "shared"
"""The project of ``brcode`` and ``taxid``."""

_PLATFORMS = ("manylinux2014", "manylinux_2_28")
"""The oldest first: systems with glibc 2.17, or 2.28 where a package has nothing older."""


def build(source: Path, folder: Path, target: str = "wheel") -> Path:
    """Build the wheel or ``sdist`` of the project in ``source`` into ``folder``, reproducibly."""
    before = set(folder.glob("*"))
    done = subprocess.run(  # noqa: S603, a fixed command
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder],
        cwd=source,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{source} cannot be built:\n{done.stdout}{done.stderr}")
    (built,) = set(folder.glob("*")) - before
    return built


def download(listed: Path, folder: Path, machine: str, pythons: Sequence[str]) -> None:
    """Download a list's wheels, for Linux on a ``machine`` and these Pythons. Raise ``SystemExit``."""
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
        if subprocess.run(command, check=False).returncode:  # noqa: S603, a fixed command
            raise SystemExit(f"not all packages can be had for Python {version} on {machine}")


def list_with_hashes(listed: Path, built: Iterable[Path]) -> str:
    """Return one list of the wheels built here and those in ``listed``, for ``pip`` in the package."""
    head = "--no-index\n--find-links wheels\n--only-binary :all:\n"
    return "".join([head, *map(_own_entry, built), *_entries(listed)])


def _own_entry(wheel: Path) -> str:
    name, version, *_ = wheel.name.split("-")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return f"{name.replace('_', '-')}=={version} \\\n    --hash=sha256:{digest}\n"


def _entries(listed: Path) -> Iterator[str]:
    text = listed.read_text(encoding="utf-8")
    for included in re.findall("^-r (.+)$", text, re.MULTILINE):
        yield from _entries(listed.parent / included)
    yield re.sub("^[#-].*\n", "", text, flags=re.MULTILINE)
