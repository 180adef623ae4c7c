"""The example's own tests where it is installed, and a faulty package, which is named in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.gateway import ROOT, free_port
from tests.services.packages import EXAMPLE, declare, install, python_path


def run(environment: dict[str, str], *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a module of Python from the repository's root."""
    command = [sys.executable, "-m", *arguments]
    given = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=60)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With the example and two packages that cannot be used."""
    install(EXAMPLE, tmp_path)
    skills = {"look_up_bank": "bank_codes.skill:LOOK_UP_BANK", "acme_none": "bank_codes:NONE"}
    declare(tmp_path, "acme", skills)
    (tmp_path / "brskills.db").touch()
    store = f"sqlite:///{tmp_path}/brskills.db"
    return {**python_path(tmp_path), "PORT": str(free_port()), "STORE": store}


@pytest.mark.parametrize(
    ("command", "code"), [(["brskills_server.gateway"], 1), (["brskills_server.admin", "skills"], 2)]
)
def test_all_faults_are_in_one_line_and_nothing_starts(
    environment: dict[str, str], command: list[str], code: int
) -> None:
    ended = run(environment, *command)
    assert ended.returncode == code
    (line,) = ended.stderr.splitlines()
    assert "look_up_bank of acme 1.0: another package declares a skill of this name" in line
    assert "look_up_bank of bank-codes 1.0.0: another package" in line
    assert "acme_none of acme 1.0: AttributeError" in line


def test_accounts_can_be_administered_all_the_same(environment: dict[str, str]) -> None:
    ended = run({**environment, "SKILL_PLANS": "not_there=pro"}, "brskills_server.admin", "revoke", "acc_1")
    assert (ended.returncode, ended.stderr.splitlines()) == (1, ["no such account: acc_1"])


def test_the_example_passes_its_own_tests(tmp_path: Path) -> None:
    install(EXAMPLE, tmp_path)
    environment = {**python_path(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ended = run(environment, "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", EXAMPLE, EXAMPLE)
    assert ended.returncode == 0, ended.stdout
    assert "[100%]" in ended.stdout
