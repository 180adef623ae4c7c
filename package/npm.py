"""``python -m package.npm FOLDER``: build the TypeScript client as a package for npm.

``--source`` packs its source instead, for callers to build: what the service serves at ``/clients``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.web.openapi.document import document
from package.archive import archive
from package.wheels import ROOT

_SOURCE = ROOT / "clients" / "typescript"


def build_npm_package(folder: Path) -> Path:
    """Build into ``folder``, reproducibly."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        staged = _stage(Path(work))
        _npm(staged, "ci")
        _npm(staged, "run", "build")
        _npm(staged, "pack", "--pack-destination", str(folder))
    return folder / f"brskills-{VERSION}.tgz"


def pack_source(folder: Path) -> Path:
    """Pack the source of the package, reproducibly and without Node, in place of former packages."""
    for former in (*folder.glob("*.tgz"), *folder.glob("*-npm.tar.gz")):
        former.unlink()
    with tempfile.TemporaryDirectory() as work:
        staged = _stage(Path(work))
        return archive(staged, folder / f"{staged.name}.tar.gz", epoch=0)


def _stage(folder: Path) -> Path:
    """Return a copy of the source, with the API's description and this version."""
    staged = folder / f"brskills-{VERSION}-npm"
    others = shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(_SOURCE, staged, ignore=others, copy_function=shutil.copyfile)
    (staged / "openapi.json").write_text(json.dumps(document("", Settings.from_environment({}))))
    (staged / "src" / "version.ts").write_text(f'export const VERSION = "{VERSION}";\n')
    manifest = staged / "package.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": VERSION}, indent=2))
    return staged


def _npm(folder: Path, *words: str) -> None:
    done = subprocess.run(  # noqa: S603, a fixed command
        ["npm", *words],  # noqa: S607, found by the PATH
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"npm {words[0]} failed:\n{done.stdout}{done.stderr}")


def main() -> None:
    """Build, and print the file."""
    parser = argparse.ArgumentParser(prog="python -m package.npm", allow_abbrev=False)
    parser.add_argument("target", type=Path, help="where to build")
    parser.add_argument("--source", action="store_true", help="pack only the source, in place of both")
    options = parser.parse_args()
    os.umask(0o022)  # npm packs the modes of files, which must be readable
    built = (pack_source if options.source else build_npm_package)(options.target.resolve())
    print(f"{built}  {built.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
