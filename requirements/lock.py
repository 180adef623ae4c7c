"""``make lock``: resolve every ``X.in`` into ``X.txt``, the list with hashes to install.

Versions stay as they are unless an ``.in`` asks for others, or an option of uv's does (``--upgrade``,
``--upgrade-package NAME``). In an ``.in``, ``-r OTHER.txt`` includes that list, and ``-c OTHER.txt`` names
one that is installed beside this one: neither way are its packages listed again.
"""

from __future__ import annotations

import functools
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PLACES = (
    "layers/*",
    "requirements",
    "lab/clients/requirements",
    "lab/bench/brcode",
    "lab/bench/flames",
    "lab/bench/starts",
    "lab/bench/warm",
)
LISTS = sorted(source for place in PLACES for source in ROOT.glob(f"{place}/*.in"))

# What a build from source downloads on its way is in no list, so only wheels are taken, but for what an `.in`
# excepts. pip forgets the exceptions above this line.
WHEELS = "--only-binary :all:"

OPTIONS = (
    "--universal",  # every system, and every Python from the oldest supported one on
    "--python-version=3.11",
    "--generate-hashes",
    *WHEELS.split(),
    "--no-build-isolation",
    "--no-header",
    "--no-annotate",
    "--quiet",
)


def main() -> None:
    """Write all lists. Exit with uv's message if one cannot be resolved."""
    for source in LISTS:
        _lock(source)


def pins(listed: Path) -> dict[str, str]:
    """Return the normalized names and exact versions of a list and of the lists it includes."""
    found: dict[str, str] = {}
    for included in _lines(listed, "-r (.+)"):
        found |= pins(listed.parent / included)
    for name, version in _lines(listed, r"([\w.-]+)(?:\[.+\])?==([^\s;]+).*"):
        found[re.sub(r"[-_.]+", "-", name).lower()] = version
    return found


@functools.cache
def _lock(source: Path) -> None:
    others = [source.parent / other for other in _lines(source, "-[rc] (.+)")]
    for other in others:
        _lock(other.resolve().with_suffix(".in"))
    target = source.with_suffix(".txt")
    known = target.read_text(encoding="utf-8") if target.exists() else ""
    kept = _lines(source, "(?:-r|--no-binary) .+")
    head = [f"# Generated from {source.name} by `make lock`", WHEELS, *kept]
    text = "\n".join([*head, _resolve(source, known, {name for other in others for name in pins(other)})])
    if text != known:  # a new time stamp would cause another installation
        target.write_text(text, encoding="utf-8")


def _resolve(source: Path, known: str, listed: set[str]) -> str:
    """All that ``source`` needs and no other list has, in the versions of ``known`` where they will do."""
    command = [sys.executable, "-m", "uv", "pip", "compile", f"--python={sys.executable}", *OPTIONS]
    command += [f"--no-emit-package={name}" for name in sorted(listed)]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "known.txt"  # uv keeps the versions in the file that it writes
        output.write_text(re.sub("^-r .+$", "", known, flags=re.MULTILINE), encoding="utf-8")
        command += [f"--output-file={output}", *sys.argv[1:], source.name]
        if subprocess.run(command, cwd=source.parent, check=False).returncode:  # noqa: S603, a fixed command
            sys.exit(f"{source.relative_to(ROOT)} cannot be resolved")
        return output.read_text(encoding="utf-8")


def _lines(listed: Path, pattern: str) -> list[Any]:
    return re.findall(f"^{pattern}$", listed.read_text(encoding="utf-8"), re.MULTILINE)


if __name__ == "__main__":
    main()
