"""``python -m package.npm FOLDER``: build the TypeScript client as a package for npm."""

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
from package.wheels import ROOT

_SOURCE = ROOT / "clients" / "typescript"


def build_npm_package(folder: Path) -> Path:
    """Build into ``folder``, reproducibly."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        staged = Path(work, "client")
        others = shutil.ignore_patterns("node_modules", "dist")
        shutil.copytree(_SOURCE, staged, ignore=others, copy_function=shutil.copyfile)
        (staged / "openapi.json").write_text(json.dumps(document("", Settings.from_environment({}))))
        (staged / "src" / "version.ts").write_text(f'export const VERSION = "{VERSION}";\n')
        _npm(staged, "ci")
        _npm(staged, "pkg", "set", f"version={VERSION}")
        _npm(staged, "run", "types", "openapi.json")
        _npm(staged, "run", "build")
        _npm(staged, "pack", "--pack-destination", str(folder))
    return folder / f"brskills-{VERSION}.tgz"


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
    os.umask(0o022)  # npm packs the modes of files, which must be readable
    built = build_npm_package(parser.parse_args().target.resolve())
    print(f"{built}  {built.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
