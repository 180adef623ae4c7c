"""What is built and what it brings along."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path
from zipfile import Path as ZipPath
from zipfile import ZipFile

from packaging.requirements import Requirement

from brskills_server.runtime.settings import VERSION
from requirements.lock import pins
from tests.installed_client.conftest import SDIST, WHEEL, Installed, environment
from tests.services.gateway import ROOT

SHARED = ROOT / "layers/shared"


def kept(folder: str) -> set[str]:
    done = subprocess.run(["git", "ls-files", folder], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def metadata() -> Distribution:
    return PathDistribution(ZipPath(WHEEL, f"brskills-{VERSION}.dist-info/"))  # type: ignore[arg-type]


def test_the_wheel_holds_the_packages_and_nothing_else() -> None:
    with ZipFile(WHEEL) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        own = {path.removeprefix("clients/python/src/") for path in kept("clients/python/src")}
        shared = {
            path.removeprefix("layers/shared/")
            for package in ("brcode", "taxid")
            for path in kept(f"layers/shared/{package}")
        }
        assert names == own | shared
        for name in shared:
            assert wheel.read(name) == (SHARED / name).read_bytes()


def test_its_version_and_licence_are_the_projects() -> None:
    assert metadata().version == VERSION
    assert metadata().metadata["License-Expression"] == "MIT"
    licence = ZipPath(WHEEL, f"brskills-{VERSION}.dist-info/licenses/LICENSE").read_text()
    assert licence == (ROOT / "LICENSE").read_text()


def test_what_it_asks_for_is_what_is_tested() -> None:
    asked = {Requirement(line).name for line in metadata().requires or ()}
    assert asked == set(pins(ROOT / "requirements/client.in"))


def test_the_same_files_make_the_same_bytes(tmp_path: Path) -> None:
    needed = (*kept("clients/python"), *kept("layers/shared"), *kept("package"), ".gitignore")
    for file in needed:
        (tmp_path / "elsewhere" / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, tmp_path / "elsewhere" / file)
    with tarfile.open(SDIST) as built:
        epoch = int(next(iter(built)).mtime)
    subprocess.run(
        [ROOT / ".venv-package/bin/python", "-m", "package.client", tmp_path],
        cwd=tmp_path / "elsewhere",
        check=True,
        umask=0o077,
        env={"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": str(epoch), "TZ": "Asia/Tokyo"},
    )
    for built_file in (SDIST, WHEEL):
        assert (tmp_path / built_file.name).read_bytes() == built_file.read_bytes()


def test_codes_and_numbers_need_no_other_package(tmp_path: Path) -> None:
    bare = Installed(environment(tmp_path / "venv"), tmp_path)
    script = (
        "import brcode, taxid; from taxid import cnpj; "
        "code = brcode.encode(key='12ABC34501DE35', amount='1', merchant_name='A', merchant_city='B'); "
        "print(brcode.decode(code.payload).valid, cnpj.is_valid('12ABC34501DE35'))"
    )
    assert bare.python(script) == "True True\n"


def test_what_is_installed_fits_together(alone: Installed) -> None:
    done = alone.run(alone.bin / "python", "-m", "pip", "check")
    assert done.returncode == 0, done.stdout
