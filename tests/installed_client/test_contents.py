"""The built distributions and their requirements."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections import Counter
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path
from zipfile import Path as ZipPath
from zipfile import ZipFile

from packaging.requirements import Requirement

from brskills_server.runtime.settings import VERSION
from requirements.lock import pins
from tests.installed_client.conftest import CODES, CODES_SDIST, SDIST, WHEEL, Installed, environment
from tests.services.gateway import ROOT, environment_of


def kept(folder: str) -> set[str]:
    done = subprocess.run(["git", "ls-files", folder], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def metadata(wheel: Path = WHEEL) -> Distribution:
    name = wheel.name.partition("-")[0]
    return PathDistribution(ZipPath(wheel, f"{name}-{VERSION}.dist-info/"))  # type: ignore[arg-type]


def files_of(wheel: Path) -> dict[str, bytes]:
    """Return the files of a wheel without its metadata."""
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheels_hold_the_packages_and_nothing_else() -> None:
    assert {f"clients/python/src/{name}" for name in files_of(WHEEL)} == kept("clients/python/src")
    codes = {f"layers/shared/{name}": content for name, content in files_of(CODES).items()}
    shared = kept("layers/shared/brcode") | kept("layers/shared/taxid")
    assert codes == {path: (ROOT / path).read_bytes() for path in shared}


def test_client_and_server_share_an_environment(tmp_path: Path) -> None:
    build = "import pathlib, sys; from package.wheels import *; build(ROOT, pathlib.Path(sys.argv[1]))"
    builder = environment_of("package") / "bin/python"
    subprocess.run([builder, "-c", build, tmp_path], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    wheels = (WHEEL, CODES, *tmp_path.glob("*.whl"))
    owners = Counter(name for wheel in wheels for name in ZipFile(wheel).namelist())
    assert {name for name, owned in owners.items() if owned > 1} == set()
    packages = {name.partition("/")[0] for name in owners if ".dist-info/" not in name}
    assert packages == {"brcode", "brskills", "brskills_server", "taxid"}
    lists = (ROOT / "requirements/server.txt", ROOT / "requirements/client.txt")
    both = Installed(environment(tmp_path / "venv", *lists, wheels=wheels), tmp_path)
    assert both.run(both.bin / "python", "-m", "pip", "check").returncode == 0
    assert both.command("--version").stdout.split()[-1] == VERSION
    assert both.run(both.bin / "brskills-admin", "--help").returncode == 0


def test_version_and_licence_equal_the_projects() -> None:
    assert metadata().version == VERSION
    assert metadata().metadata["License-Expression"] == "MIT"
    licence = ZipPath(WHEEL, f"brskills-{VERSION}.dist-info/licenses/LICENSE").read_text()
    assert licence == (ROOT / "LICENSE").read_text()


def test_requirements_equal_the_tested_ones() -> None:
    asked = {Requirement(line).name for wheel in (WHEEL, CODES) for line in metadata(wheel).requires or ()}
    assert asked == {"brskills-codes", *pins(ROOT / "requirements/client.in")}


def test_the_same_files_make_the_same_bytes(tmp_path: Path) -> None:
    needed = (*kept("clients/python"), *kept("layers/shared"), *kept("package"), ".gitignore")
    for file in needed:
        (tmp_path / "elsewhere" / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, tmp_path / "elsewhere" / file)
    with tarfile.open(SDIST) as built:
        epoch = int(next(iter(built)).mtime)
    subprocess.run(
        [environment_of("package") / "bin/python", "-m", "package.client", tmp_path],
        cwd=tmp_path / "elsewhere",
        check=True,
        umask=0o077,
        env={"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": str(epoch), "TZ": "Asia/Tokyo"},
    )
    for built_file in (SDIST, WHEEL, CODES_SDIST, CODES):
        assert (tmp_path / built_file.name).read_bytes() == built_file.read_bytes()


def test_codes_and_numbers_need_no_other_package(tmp_path: Path) -> None:
    bare = Installed(environment(tmp_path / "venv"), tmp_path)
    script = (
        "import brcode, taxid; from taxid import cnpj; "
        "code = brcode.encode(key='12ABC34501DE35', amount='1', merchant_name='A', merchant_city='B'); "
        "print(brcode.decode(code.payload).valid, cnpj.is_valid('12ABC34501DE35'))"
    )
    assert bare.python(script) == "True True\n"


def test_installed_packages_are_compatible(alone: Installed) -> None:
    done = alone.run(alone.bin / "python", "-m", "pip", "check")
    assert done.returncode == 0, done.stdout
