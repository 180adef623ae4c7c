"""Commands of docs/operate exist: targets, subcommands, parameters, outputs, operations of AWS."""

import re

import botocore.session
import pytest
from botocore import xform_name

from brskills_server.admin.__main__ import main
from tests.services.expanded import monitoring, read, resources, template
from tests.services.gateway import ROOT

DOCUMENTS = sorted((ROOT / "docs/operate").glob("*.md"))
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS).replace("\\\n", " ")


def find(pattern: str) -> set[str]:
    """Return the matches of the pattern's group. Fail if there are none."""
    names = set(re.findall(pattern, TEXT))
    assert names
    return names


def test_make_targets() -> None:
    makefiles = "\n".join((ROOT / name).read_text("utf-8") for name in ("Makefile", "lab/Makefile"))
    targets = re.findall(r"^([a-z0-9-]+):", makefiles, re.MULTILINE)
    assert find(r"\bmake ([a-z0-9-]+)(?= [A-Z]+=|`)") <= set(targets)


def test_admin_subcommands_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    for command in find(r"(?:brskills_server\.admin |brskills-admin |make admin ARGS=\"?)([a-z-]+)"):
        assert main([command, "--help"]) == 0, command
        shown = capsys.readouterr().out
        used = re.findall(rf"python -m brskills_server\.admin {command} [^`\n|]*?(--[a-z-]+)", TEXT)
        assert all(option in shown for option in used), command


def test_parameters_outputs_and_resources() -> None:
    for target, stack in (("deploy", template()), ("deploy-register", read("register.yaml"))):
        given = find(rf"make {target} PARAMETERS='([^']+)'")
        names = {name for one in given for name in re.findall(r"(?:^|[ \"])([A-Z][A-Za-z]+)=", one)}
        assert names <= stack["Parameters"].keys()
    assert find(r"(?:\$\(|`)output ([A-Za-z]+)") <= template()["Outputs"].keys()
    assert find(r"\$\(id ([A-Za-z]+)\)") <= (
        resources().keys() | monitoring().keys() | read("register.yaml")["Resources"].keys()
    )


def test_alarms_by_their_names() -> None:
    names = {each["Properties"].get("AlarmName", {}).get("Fn::Sub") for each in monitoring().values()}
    assert {"${Service}" + name for name in find(r"--alarm-name \$STACK(\S+)")} <= names


def test_operations_of_aws() -> None:
    session = botocore.session.get_session()
    for service, command in find(r"\baws ([a-z]+) ([a-z-]+)"):
        names = session.get_service_model(service).operation_names
        assert command in {"wait", *(xform_name(name, "-") for name in names)}, (service, command)
