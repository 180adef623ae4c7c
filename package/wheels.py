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
    """Fetch all that is in a list, for Linux on a ``machine`` and each of these versions of Python."""
    target = [f"--platform=manylinux2014_{machine}", "--only-binary=:all:", "--require-hashes", "--no-deps"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *target]
    for version in pythons:
        subprocess.run(  # noqa: S603, our own words
            [*pip, f"--python-version={version}", f"--dest={folder}", f"--requirement={listed}"], check=True
        )


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
