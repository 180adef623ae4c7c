"""The same files make the same bytes, wherever and however they are built."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

from brskills_server.runtime.settings import VERSION
from package.archive import archive
from tests.services.gateway import ROOT, environment_of
from tests.services.package import MADE_BY_SITE, archive_of

PYTHON = environment_of("package") / "bin/python"


def test_the_wheel_is_the_same_from_another_folder(name: str, unpacked: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    kept = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    made = [path for place in MADE_BY_SITE for path in place.rglob("*.*")]
    for file in [*kept.decode().split("\0")[:-1], *(str(path.relative_to(ROOT)) for path in made)]:
        (elsewhere / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, elsewhere / file)
    with tarfile.open(archive_of(name)) as built:
        epoch = next(iter(built)).mtime
    subprocess.run(
        [PYTHON, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path],
        cwd=elsewhere,
        check=True,
        umask=0o077,
        env={"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": str(int(epoch)), "TZ": "Asia/Tokyo"},
    )
    wheel = f"brskills_server-{VERSION}-py3-none-any.whl"
    assert (tmp_path / wheel).read_bytes() == (unpacked / "wheels" / wheel).read_bytes()


def test_the_archive_is_the_same_from_another_folder(name: str, unpacked: Path, tmp_path: Path) -> None:
    with tarfile.open(archive_of(name)) as built:
        epoch = int(next(iter(built)).mtime)
    assert archive(unpacked, tmp_path / "again.tar.gz", epoch).read_bytes() == archive_of(name).read_bytes()
