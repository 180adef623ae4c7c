"""``make deploy`` runs ``sam deploy`` with the answers, and shows what comes next."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from moto import mock_aws

from deployment.answers import Answers
from deployment.deploy import _formation, main, next_steps

pytestmark = pytest.mark.thorough

ANSWERS = Answers("brskills", "sa-east-1", {"AlarmEmail": "", "DomainName": "", "CertificateArn": ""})
BASE = "https://abc.execute-api.sa-east-1.amazonaws.com/v1"
WORDS = ["Architecture=arm64", 'RegisterSchedule="cron(0 6 16 * ? *)"', "--confirm-changeset"]
TEMPLATE = f"""
Resources: {{Topic: {{Type: AWS::SNS::Topic}}}}
Outputs: {{BaseUrl: {{Value: "{BASE}"}}, Page: {{Value: "{BASE}/"}}}}
"""


@pytest.fixture
def sam(tmp_path: Path) -> Path:
    """A program that writes its arguments to ``sam.txt``, a line each, and ends with ``$CODE``."""
    program = tmp_path / "sam"
    program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {tmp_path}/sam.txt\nexit ${{CODE:-0}}\n")
    program.chmod(0o755)
    ANSWERS.write(tmp_path / "answers.toml")
    return program


def deploy(sam: Path, *words: str) -> tuple[Result, list[str]]:
    with mock_aws():
        _formation(ANSWERS).create_stack(StackName=ANSWERS.stack_name, TemplateBody=TEMPLATE)
        result = CliRunner().invoke(main, [str(sam.parent / "answers.toml"), str(sam), *words])
    return result, (sam.parent / "sam.txt").read_text().splitlines()


def test_sam_gets_stack_region_and_parameters_and_the_words_as_given(sam: Path) -> None:
    result, arguments = deploy(sam, *WORDS)
    assert arguments == [
        *("deploy", "--stack-name", "brskills", "--region", "sa-east-1", "--parameter-overrides"),
        *('AlarmEmail=""', 'DomainName=""', 'CertificateArn=""'),
        *WORDS,
    ]
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        f"Base URL  {BASE}",
        f"Page      {BASE}/",
        f"Check it  make smoke URL={BASE}",
    ]


def test_a_given_parameter_replaces_its_answer_for_good(sam: Path) -> None:
    deploy(sam, "AlarmEmail=ops@example.com", 'DomainName="api.example.com"')
    _, arguments = deploy(sam, *WORDS)
    assert {'AlarmEmail="ops@example.com"', 'DomainName="api.example.com"'} < {*arguments}
    assert not any(
        "RegisterSchedule" in name for name in Answers.read(sam.parent / "answers.toml").parameters
    )


def test_sams_exit_code_is_passed_on(sam: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODE", "3")
    result, _ = deploy(sam)
    assert (result.exit_code, result.output) == (3, "")


def test_a_domain_also_needs_a_record_in_dns() -> None:
    outputs = {
        "BaseUrl": "https://api.example.com",
        "Page": "https://api.example.com/",
        "DomainTarget": "d-1.x",
    }
    assert "DNS       let the domain be a CNAME or alias of d-1.x" in next_steps(outputs).splitlines()
