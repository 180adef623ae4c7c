"""``python -m package FOLDER --machine x86_64 --pythons 3.11 3.12``: build the packages into a folder."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from package.archive import archive, write_sums
from package.bill_of_materials import bill_of_materials
from package.wheels import CODES, ROOT, build, download, list_with_hashes


class Package(NamedTuple):
    """A package: the requirement that a customer installs (``asked``), and its full list (``listed``)."""

    name: str
    asked: str
    listed: Path


PACKAGES = (
    Package("brskills-server", "brskills-server", ROOT / "requirements/server.txt"),
    # A separate package: the snapshot builder's dependencies are more than twice as large as all others.
    Package("brskills-server-with-copy", "brskills-server[copy]", ROOT / "requirements/copy.txt"),
)


def main() -> None:
    """Build into new folders, each of which replaces the previous one when it is complete."""
    options = _options()
    target: Path = options.target.resolve()
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    for package in PACKAGES:
        if options.only not in {None, package.name}:
            continue
        folder = _build(package, target, options.machine, options.pythons, epoch)
        print(archive(folder, target / f"{folder.name}-linux-{options.machine}.tar.gz", epoch))


def _build(package: Package, target: Path, machine: str, pythons: Sequence[str], epoch: int) -> Path:
    work = target / "unfinished"
    shutil.rmtree(work, ignore_errors=True)
    for name in ("docs", "examples", "on-premise"):
        shutil.copytree(ROOT / name, work / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("README.md", "README.pt-BR.md", "CHANGELOG.md", "LICENSE", "Dockerfile", "compose.yaml"):
        shutil.copy(ROOT / name, work)
    (work / "on-premise/install.py").rename(work / "install.py")
    wheels = work / "wheels"
    server, codes = (build(source, wheels) for source in (ROOT, CODES))
    download(package.listed, wheels, machine, pythons)
    (work / "requirements.txt").write_text(
        list_with_hashes(package.listed, (server, codes)), encoding="utf-8"
    )
    (work / "sbom.cdx.json").write_text(bill_of_materials(wheels, package.asked, epoch), encoding="utf-8")
    write_sums(work)
    version = server.name.split("-")[1]
    folder = target / f"{package.name}-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    return work.rename(folder)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m package", allow_abbrev=False)
    parser.add_argument("target", type=Path, help="where to build")
    this = f"{sys.version_info.major}.{sys.version_info.minor}"
    parser.add_argument(
        "--machine", default=platform.machine(), choices=["x86_64", "aarch64"], help="the customer's"
    )
    parser.add_argument("--pythons", default=[this], nargs="+", help="the versions that a customer may have")
    parser.add_argument("--only", choices=[package.name for package in PACKAGES], help="build one package")
    return parser.parse_args()


if __name__ == "__main__":
    main()
