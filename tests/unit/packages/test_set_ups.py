"""Every set-up of the project installs only packages of the listed hash: run on one local package."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pip
import pytest

from tests.packages import install

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[3]
WHEEL = "probe-1.0-py3-none-any.whl"
INFO = "probe-1.0.dist-info"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the one package."""
    folder = tmp_path_factory.mktemp("wheels")
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        wheel.writestr("probe.py", "")
        wheel.writestr(f"{INFO}/METADATA", "Metadata-Version: 2.1\nName: probe\nVersion: 1.0\n")
        wheel.writestr(f"{INFO}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{INFO}/RECORD", "")
    return folder


@pytest.fixture(autouse=True)
def _only_the_folder(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("PIP_", "MAKE", "MFLAGS")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A minimal checkout, with an environment that has the running pip."""
    (tmp_path / "requirements").mkdir()
    for name in ("server.txt", "run.txt", "copy.txt", "dev.txt"):
        (tmp_path / "requirements" / name).touch()
    tools = ("requirements/install.py", "requirements/lock.py")
    for name in (
        "Makefile",
        "lab/Makefile",
        *tools,
        *(f"layers/{layer}/Makefile" for layer in ("shared", "billing", "oauth")),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    venv.create(tmp_path / ".venv-probe")
    packages = next(tmp_path.glob(".venv-probe/lib/python3*/site-packages"))
    (packages / "pip").symlink_to(Path(pip.__file__).parent)
    return tmp_path


def project(place: Path, text: str) -> None:
    (place / "requirements/probe.txt").write_text(text)
    _make(place, "VENV=.venv-probe", ".venv-probe/probe.stamp")


def shared_layer(place: Path, text: str) -> None:
    _layer(place, text)


def _layer(place: Path, text: str, *more: str) -> None:
    (place / "layers/shared/requirements.txt").write_text(text)
    options = [f"ARTIFACTS_DIR={place}/out", f"PYTHON={sys.executable}", "LOCAL=1", *more]
    _make(place / "layers/shared", "build-SharedLayer", "PACKAGES=requirements.txt", "LEFT_OUT=", *options)


def environment_of_tests(place: Path, text: str) -> None:
    (place / "probe.txt").write_text(text)
    install(place / ".venv-probe/bin/python", place / "probe.txt")


def _make(folder: Path, *words: str) -> None:
    subprocess.run(["make", "--silent", "-C", folder, *words], check=True)


SetUp = Callable[[Path, str], None]


@pytest.mark.parametrize("set_up", [project, shared_layer, environment_of_tests])
def test_only_a_package_of_the_listed_hash_is_installed(
    set_up: SetUp, place: Path, wheels: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        set_up(place, f"probe==1.0 --hash=sha256:{'0' * 64}\n")
    assert "hash" in capfd.readouterr().err.lower()
    assert not list(place.rglob("probe.py"))
    set_up(place, f"probe==1.0 --hash=sha256:{_hash(wheels)}\n")
    assert list(place.rglob("probe.py"))


def _hash(wheels: Path) -> str:
    return hashlib.sha256((wheels / WHEEL).read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("layer", "compiler"),
    [("shared", "/nowhere/python3.13"), ("billing", sys.executable)],
)
def test_a_layer_without_the_runtimes_bytecode_is_not_built(
    layer: str, compiler: str, place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = [f"build-{layer.capitalize()}Layer", f"ARTIFACTS_DIR={place}/out", f"COMPILER={compiler}"]
    with pytest.raises(subprocess.CalledProcessError):
        _make(place / f"layers/{layer}", *target, "RUNTIME=3.99")
    assert "Python 3.99 is needed" in capfd.readouterr().err
    assert not (place / "out").exists()


def test_a_layer_that_is_too_large_is_not_built(place: Path, wheels: Path, capfd) -> None:
    text = f"probe==1.0 --hash=sha256:{_hash(wheels)}\n"
    with pytest.raises(subprocess.CalledProcessError):
        _layer(place, text, "MOST_KB=1")
    assert "more than 1 KB" in capfd.readouterr().err
