"""What docs/operations.md has an operator type is there: targets, verbs, parameters, outputs, AWS' calls."""

from __future__ import annotations

import re
from typing import Any

import botocore.session
import pytest
from botocore import xform_name

from brskills_server.admin.__main__ import main
from tests.services.expanded import expand, read
from tests.services.gateway import ROOT

TEXT = (ROOT / "docs/operations.md").read_text(encoding="utf-8").replace("\\\n", " ")
FOR_ALL = {"query", "output"}
"""Options that every command of AWS' CLI takes."""


def found(pattern: str) -> set[str]:
    """What the pattern's group is, wherever it is in the text; there is something."""
    names = set(re.findall(pattern, TEXT))
    assert names
    return names


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    return read()


def test_links_within_it() -> None:
    headings = re.findall(r"^##+ (.+)$", TEXT, re.MULTILINE)
    there = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert found(r"\]\(#([^)]+)\)") <= there


def test_targets_of_make() -> None:
    there = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert found(r"\bmake ([a-z0-9-]+)(?= ARGS| PARAMETERS|`)") <= there


def test_verbs_of_the_operators_command(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in found(r"python -m brskills_server.admin ([a-z-]+)"):
        with pytest.raises(SystemExit) as ended:
            main([verb, "--help"])
        assert ended.value.code == 0, verb
        told = capsys.readouterr().out
        for options in re.findall(rf"python -m brskills_server.admin {verb} [^`\n|]*?(--[a-z-]+)", TEXT):
            assert options in told, verb


def test_parameters(template: dict[str, Any]) -> None:
    given = found(r"PARAMETERS='([^']+)'")
    names = {name for one in given for name in re.findall(r"(?:^|[ \"])([A-Z][A-Za-z]+)=", one)}
    assert len(names) > 10
    assert names <= template["Parameters"].keys()


def test_outputs_and_resources(template: dict[str, Any]) -> None:
    assert found(r"(?:\$\(|`)output ([A-Za-z]+)") <= template["Outputs"].keys()
    assert found(r"\$\(id ([A-Za-z]+)\)") <= expand(template)["Resources"].keys()


def test_throttles_go_back_to_those_of_the_template(template: dict[str, Any]) -> None:
    kept = {
        (
            one["ResourcePath"].removeprefix("/"),
            str(one["ThrottlingRateLimit"]),
            str(one["ThrottlingBurstLimit"]),
        )
        for one in template["Resources"]["Api"]["Properties"]["MethodSettings"]
        if one["HttpMethod"] == "POST"
    }
    back = set(re.findall(r"throttle (~1\S+) ([1-9]\d*) (\d+)", TEXT))
    stopped = set(re.findall(r"throttle (~1\S+) 0 0", TEXT))
    assert {path for path, _, _ in back} == stopped
    assert len(stopped) == 2
    assert back <= kept


def test_operations_of_aws() -> None:
    session = botocore.session.get_session()
    commands = re.findall(r"\baws ([a-z]+) ([a-z-]+)((?: [^`\n;|]+)?)", TEXT)
    assert len(commands) > 15
    for service, command, rest in commands:
        model = session.get_service_model(service)
        operations = {xform_name(name, "-"): name for name in model.operation_names}
        if command == "wait":
            waiters = {xform_name(name, "-") for name in session.get_waiter_model(service).waiter_names}
            assert rest.split()[0] in waiters, (service, rest)
            continue
        assert command in operations, (service, command)
        shape = model.operation_model(operations[command]).input_shape
        members = {xform_name(name, "-") for name in shape.members} if shape else set()
        asked = set(re.findall(r" --([a-z-]+)", re.sub(r"'[^']*'|\$\(.*?\)", "", rest)))
        assert {option.removeprefix("no-") for option in asked} <= members | FOR_ALL, (service, command)


def test_no_command_answers_of_the_first_hundred_resources_alone(template: dict[str, Any]) -> None:
    # AWS documents that limit of DescribeStackResources, and MiniStack does not have it.
    assert len(expand(template)["Resources"]) > 100
    assert "describe-stack-resources" not in TEXT
    assert "list-stack-resources" in TEXT


def test_what_a_runbook_has_one_change_is_a_parameter(template: dict[str, Any]) -> None:
    todo = " ".join(re.findall(r"^\*\*Do\.\*\* (.+)$", TEXT, re.MULTILINE))
    named = set(re.findall(r"`([A-Z][a-z]+[A-Z]\w*)`", todo))
    assert len(named) > 4
    assert named - {"AccessDenied"} <= template["Parameters"].keys()


def test_what_traces_hold_is_told(template: dict[str, Any]) -> None:
    """AWS documents a request's whole address and the caller's in API Gateway's segments of a trace."""
    assert "addresses of callers" in template["Parameters"]["Tracing"]["Description"]
    (told,) = re.findall(r"^- `Tracing=on`.+\n.+", TEXT, re.MULTILINE)
    assert "**What AWS notes is personal**" in told
