"""``python -m package FOLDER --machine x86_64 --pythons 3.11 3.12``: builds the package into a folder."""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from package.archive import archive, write_sums
from package.bill_of_materials import bill_of_materials
from package.wheels import ROOT, build_server, download, list_with_hashes

SERVER_LIST = ROOT / "requirements/server.txt"
NAME = "brskills-server"


def main() -> None:
    """Build into a new folder, which replaces the former one when it is whole."""
    options = _options()
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    target: Path = options.target.resolve()
    work = target / "unfinished"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(ROOT / "on-premise", work)
    for name in ("docs", "examples"):
        shutil.copytree(ROOT / name, work / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / name, work)
    wheels = work / "wheels"
    server = build_server(wheels)
    download(SERVER_LIST, wheels, options.machine, options.pythons)
    (work / "requirements.txt").write_text(list_with_hashes(SERVER_LIST, server), encoding="utf-8")
    (work / "sbom.cdx.json").write_text(bill_of_materials(wheels, NAME, epoch), encoding="utf-8")
    write_sums(work)
    version = server.name.split("-")[1]
    folder = target / f"{NAME}-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    work.rename(folder)
    print(archive(folder, target / f"{folder.name}-linux-{options.machine}.tar.gz", epoch))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m package", allow_abbrev=False)
    parser.add_argument("target", type=Path, help="where to build")
    parser.add_argument("--machine", required=True, choices=["x86_64", "aarch64"], help="the customer's")
    parser.add_argument("--pythons", required=True, nargs="+", help="the versions that a customer may have")
    return parser.parse_args()


if __name__ == "__main__":
    main()
