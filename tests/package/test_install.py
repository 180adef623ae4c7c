"""Installing takes the package's files alone, and says in one line why it does not."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from requirements.lock import pins
from tests.services.package import WITH_COPY, bare


def install(unpacked: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, unpacked / "install.py", *arguments]
    return subprocess.run(command, env=bare(unpacked), capture_output=True, text=True, check=False)


@pytest.fixture
def own_copy(unpacked: Path, tmp_path: Path) -> Path:
    return shutil.copytree(unpacked, tmp_path / "copy")


def test_what_is_installed_is_what_is_listed(unpacked: Path, installed: Path) -> None:
    command = [installed / "bin/python", "-m", "pip"]
    listed = subprocess.run([*command, "list", "--format=json"], check=True, capture_output=True).stdout
    found = {re.sub(r"[-_.]+", "-", entry["name"]).lower(): entry["version"] for entry in json.loads(listed)}
    brought_by_python = {"pip", "setuptools"} - pins(unpacked / "requirements.txt").keys()
    assert {name: found[name] for name in found.keys() - brought_by_python} == pins(
        unpacked / "requirements.txt"
    )
    subprocess.run([*command, "check"], check=True)


def test_whoever_runs_it_can_read_it_and_not_write_it(installed: Path) -> None:
    for path in (installed, *installed.rglob("*")):
        mode = path.stat().st_mode
        assert mode & 0o044 == 0o044, path
        assert mode & 0o011 == 0o011 or not path.is_dir(), path
        assert not mode & 0o022, path


def test_server_and_operators_commands_work_from_any_folder(installed: Path, tmp_path: Path) -> None:
    helped = subprocess.run(
        [installed / "bin/brskills-admin", "--help"], cwd=tmp_path, env=bare(tmp_path), capture_output=True
    )
    assert helped.returncode == 0
    refused = subprocess.run(
        [installed / "bin/brskills-server"],
        cwd=tmp_path,
        env={**bare(tmp_path), "STORE": "nonsense"},
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith("STORE")
    assert refused.stderr.count("\n") == 1


def test_the_builder_works_or_says_in_one_line_what_it_lacks(name: str, installed: Path, tmp_path) -> None:
    command = [installed / "bin/brskills-copy", "list"]
    result = subprocess.run(command, cwd=tmp_path, env=bare(tmp_path), capture_output=True, text=True)
    lacks = "duckdb is not installed: install the package brskills-server-with-copy\n"
    assert (result.returncode, result.stderr) == ((0, "") if name == WITH_COPY else (1, lacks))


def test_a_wheel_that_was_changed_is_not_installed(own_copy: Path, tmp_path: Path) -> None:
    wheel = next((own_copy / "wheels").glob("click-*.whl"))
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    result = install(own_copy, tmp_path / "target")
    assert result.returncode == 1
    assert "hash" in result.stderr.lower()
    assert not list((tmp_path / "target").glob("lib/python3*/site-packages/click"))


def test_a_wheel_that_is_missing_is_taken_from_nowhere_else(own_copy: Path, tmp_path: Path) -> None:
    next((own_copy / "wheels").glob("click-*.whl")).unlink()
    result = install(own_copy, tmp_path / "target")
    assert result.returncode == 1
    assert "click" in result.stderr


def test_a_folder_in_use_stays_as_it_is(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").touch()
    result = install(unpacked, tmp_path)
    assert result.stderr == f"{tmp_path} is not empty: install into a new folder\n"
    assert result.returncode == 1
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_folder_that_cannot_be_made_is_said_in_one_line(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = install(unpacked, tmp_path / "file/target")
    assert result.returncode == 1
    assert re.fullmatch(r".+ cannot be written: .+\n", result.stderr)


def test_another_python_than_the_wheels_are_for_is_said_in_one_line(own_copy: Path, tmp_path: Path) -> None:
    for wheel in (own_copy / "wheels").glob(f"*-cp{sys.version_info.major}{sys.version_info.minor}-*"):
        wheel.unlink()
    result = install(own_copy, tmp_path / "target")
    assert result.returncode == 1
    assert re.fullmatch(
        r"CPython on Linux is needed, one of: 3\.\d+ on \w+, .+; this is 3.+\n", result.stderr
    )
    assert not (tmp_path / "target").exists()


def test_no_folder_is_said_in_one_line(unpacked: Path) -> None:
    for arguments in ([], ["--help"], ["a", "b"]):
        assert install(unpacked, *arguments).stderr == "usage: python3 install.py FOLDER\n"
