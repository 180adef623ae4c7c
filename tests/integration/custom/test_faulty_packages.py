"""A faulty package is named in one line, by the gateway and by the operator's tools, and nothing starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.gateway import ROOT, free_port
from tests.services.packages import EXAMPLE, declare, install, python_path


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With the example and two packages that cannot be used."""
    install(EXAMPLE, tmp_path)
    declare(
        tmp_path, "acme", {"look_up_bank": "bank_codes.skill:LOOK_UP_BANK", "acme_none": "bank_codes:NONE"}
    )
    (tmp_path / "brskills.db").touch()
    store = f"sqlite:///{tmp_path}/brskills.db"
    return {**os.environ, **python_path(tmp_path), "PORT": str(free_port()), "STORE": store}


@pytest.mark.parametrize(
    ("command", "code"), [(["brskills_server.gateway"], 1), (["brskills_server.admin", "skills"], 2)]
)
def test_all_faults_stand_in_one_line(environment: dict[str, str], command: list[str], code: int) -> None:
    (line,) = ends(environment, command, code)
    assert "look_up_bank of acme 1.0: another package declares a skill of this name" in line
    assert "look_up_bank of bank-codes 1.0.0: another package" in line
    assert "acme_none of acme 1.0: AttributeError" in line


def test_accounts_can_be_looked_after_all_the_same(environment: dict[str, str]) -> None:
    environment |= {"SKILL_PLANS": "not_there=pro"}
    assert ends(environment, ["brskills_server.admin", "list"], 0) == []
    assert ends(environment, ["brskills_server.admin", "revoke", "acc_1"], 1) == ["no such account: acc_1"]


def test_a_setting_that_names_no_skill_stops_the_gateway(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        **python_path(tmp_path),
        "STORE": "memory",
        "SKILL_PLANS": "look_up_bank=pro",
    }
    (line,) = ends(environment, ["brskills_server.gateway"], 1)
    assert "SKILL_PLANS names skills that are not installed: look_up_bank" in line


def ends(environment: dict[str, str], command: list[str], code: int) -> list[str]:
    """What a command that cannot work says."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == code, done.stderr
    return done.stderr.splitlines()
