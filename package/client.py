"""``python -m package.client FOLDER``: builds the client as sdist and wheel, for ``make dist``.

The wheel is built from the sdist, as an index or a distributor would, so that the sdist is known to be whole.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from package.wheels import ROOT

__all__ = ["build_client"]


def build_client(folder: Path) -> tuple[Path, Path]:
    """Build into ``folder``: the same bytes wherever the same files are. Returns sdist and wheel."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        sdist = _build(ROOT / "clients" / "python", "sdist", Path(work, "sdist"))
        with tarfile.open(sdist) as packed:
            packed.extractall(Path(work, "unpacked"), filter="data")
        wheel = _build(next(Path(work, "unpacked").iterdir()), "wheel", Path(work, "wheel"))
        return Path(shutil.move(sdist, folder / sdist.name)), Path(shutil.move(wheel, folder / wheel.name))


def _build(source: Path, target: str, folder: Path) -> Path:
    subprocess.run(  # noqa: S603, our own words
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder],
        cwd=source,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    (built,) = folder.iterdir()
    return built


def main() -> None:
    """Build, and name what was built."""
    parser = argparse.ArgumentParser(prog="python -m package.client", allow_abbrev=False)
    parser.add_argument("target", type=Path, help="where to build")
    for built in build_client(parser.parse_args().target.resolve()):
        print(f"{built}  {built.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
