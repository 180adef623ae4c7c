"""Which packages declare custom skills, and how an invalid one is reported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from brskills_server.runtime.custom_skills import find_custom_skills, installed_packages
from brskills_server.skills.custom_errors import FaultySkills
from tests.services.gateway import ROOT
from tests.services.packages import EXAMPLE, declare, install, python_path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose packages are installed while the test runs."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for module in ("bank_codes", "bank_codes.skill", "broken", "odd_package", "skills"):
        sys.modules.pop(module, None)


def write(folder: Path, module: str, text: str) -> None:
    (folder / f"{module}.py").write_text(text, encoding="utf-8")


def faults(folder: Path) -> str:
    """The one line that names what is wrong."""
    with pytest.raises(FaultySkills) as wrong:
        find_custom_skills({})
    assert len(str(wrong.value).splitlines()) == 1
    return str(wrong.value)


def test_without_packages_there_are_none() -> None:
    assert dict(find_custom_skills({}).installed) == {}
    assert installed_packages() == {}


def test_an_installed_package_is_found_with_its_version(folder: Path) -> None:
    install(EXAMPLE, folder)
    plans = {"look_up_bank": frozenset({"pro"})}
    found = find_custom_skills(plans)
    assert list(found.installed) == ["look_up_bank"]
    assert found.plans == plans
    assert installed_packages() == {"look_up_bank": "bank-codes 1.0.0"}


def test_a_module_that_cannot_be_imported_is_named(folder: Path) -> None:
    declare(folder, "acme", {"acme_a": "no_such_module:A", "acme_b": "broken:B", "acme_c": "broken:C"})
    write(folder, "broken", "raise SystemExit('no\\nlicence')")
    reported = faults(folder)
    assert "acme_a of acme 1.0: ModuleNotFoundError: No module named 'no_such_module'" in reported
    assert "acme_b of acme 1.0: SystemExit: no licence" in reported
    assert "acme_c of acme 1.0" in reported


def test_whatever_a_module_raises_is_named_but_for_ctrl_c(folder: Path) -> None:
    declare(folder, "acme", {"acme_a": "broken:A"})
    write(folder, "broken", "class Odd(BaseException): ...\n\n\nraise Odd('no')")
    assert "acme_a of acme 1.0: Odd: no" in faults(folder)
    write(folder, "broken", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        find_custom_skills({})


def test_what_is_not_a_skill_or_breaks_a_rule_is_named(folder: Path) -> None:
    declare(
        folder, "acme", {"odd_none": "odd_package:NONE", "odd_echo": "odd_package:ECHO", "x": "odd_package:Y"}
    )
    text = "from dataclasses import replace\nfrom tests.fakes.odd_skills import ODD_ECHO\n"
    write(folder, "odd_package", f"{text}NONE = None\nECHO = replace(ODD_ECHO, seconds=99)\n")
    reported = faults(folder)
    assert "odd_none of acme 1.0: is not a brskills_server.skills.skill.Skill but NoneType" in reported
    assert "odd_echo of acme 1.0: seconds must be" in reported
    assert "x of acme 1.0: AttributeError" in reported


def test_two_packages_with_one_name_are_both_named(folder: Path) -> None:
    install(EXAMPLE, folder)
    declare(folder, "acme", {"look_up_bank": "bank_codes.skill:LOOK_UP_BANK"})
    reported = faults(folder)
    assert "look_up_bank of acme 1.0: another package declares a skill of this name" in reported
    assert "look_up_bank of bank-codes 1.0.0: another package" in reported


def test_plans_of_what_is_not_installed_are_named(folder: Path) -> None:
    install(EXAMPLE, folder)
    with pytest.raises(FaultySkills) as wrong:
        find_custom_skills({"look_up_banks": frozenset({"pro"})})
    assert "SKILL_PLANS names skills that are not installed: look_up_banks" in str(wrong.value)


def test_functions_of_ours_look_for_no_packages_when_they_start(tmp_path: Path) -> None:
    """Nor do lists and MCP before a caller sends a key: a package is loaded where it is used."""
    declare(tmp_path, "acme", {"acme_a": "broken:A"})
    write(tmp_path, "broken", "raise RuntimeError")
    program = (
        "import functions.pix.app, functions.mcp.app, functions.site.app, sys\n"
        "event = {'httpMethod': 'GET', 'resource': '/api/v1/tools', 'requestContext': {}}\n"
        "assert functions.site.app.handler(event, None)['statusCode'] == 200\n"
        "assert 'brskills_server.runtime.custom_skills' not in sys.modules\n"
        "import functions.custom.app"
    )
    environment = {**python_path(tmp_path), "AWS_DEFAULT_REGION": "sa-east-1"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.stderr.splitlines()[-1].startswith(
        "brskills_server.skills.custom_errors.FaultySkills: custom skills: acme_a of acme"
    )
