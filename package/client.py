"""``python -m package.client FOLDER``: build client and codes as sdists, and wheels from these.

``--wheels`` builds only wheels, which replace former ones: what the service serves at ``/clients``.
"""

from __future__ import annotations

import argparse
import shutil
import tarfile
import tempfile
from pathlib import Path

from package.wheels import CODES, ROOT, build

PROJECTS = (CODES, ROOT / "clients" / "python")


def build_distribution(source: Path, folder: Path) -> tuple[Path, Path]:
    """Build sdist and wheel of the project in ``source`` into ``folder``, reproducibly."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        sdist = build(source, Path(work, "sdist"), "sdist")
        with tarfile.open(sdist) as packed:
            packed.extractall(Path(work, "unpacked"), filter="data")
        wheel = build(next(Path(work, "unpacked").iterdir()), Path(work, "wheel"))
        return Path(shutil.move(sdist, folder / sdist.name)), Path(shutil.move(wheel, folder / wheel.name))


def main() -> None:
    """Build, and print the files."""
    parser = argparse.ArgumentParser(prog="python -m package.client", allow_abbrev=False)
    parser.add_argument("target", type=Path, help="where to build")
    parser.add_argument("--wheels", action="store_true", help="build only wheels, in place of former ones")
    options = parser.parse_args()
    target: Path = options.target.resolve()
    if options.wheels:
        for former in target.glob("*.whl"):
            former.unlink()
    for source in PROJECTS:
        made = [build(source, target)] if options.wheels else build_distribution(source, target)
        for path in made:
            print(f"{path}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
