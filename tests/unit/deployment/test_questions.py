"""``make deploy`` asks four things, accepts what the template accepts, and keeps the answers."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deployment.answers import Answers
from deployment.questions import main

CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/0a1b-2c"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.toml"


@pytest.fixture(autouse=True)
def _configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")


def answering(file: Path, *lines: str) -> Result:
    return CliRunner().invoke(main, [str(file)], input="".join(f"{line}\n" for line in lines))


def test_defaults_are_a_stack_in_sao_paulo_without_e_mail_and_domain(file: Path) -> None:
    assert answering(file, "", "", "", "").exit_code == 0
    none = {"AlarmEmail": "", "DomainName": "", "CertificateArn": ""}
    assert Answers.read(file) == Answers("brskills", "sa-east-1", none)


@pytest.mark.parametrize("variable", ["AWS_REGION", "AWS_DEFAULT_REGION"])
def test_the_region_of_the_environment_is_offered(
    file: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "eu-west-3")
    assert "Region [eu-west-3]" in answering(file, "", "", "", "").output
    assert Answers.read(file).region == "eu-west-3"


def test_the_configured_region_is_offered(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").write_text("[default]\nregion = us-west-2\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    assert "Region [us-west-2]" in answering(file, "", "", "", "").output


def test_invalid_answers_are_asked_for_again_and_a_domain_needs_a_certificate(file: Path) -> None:
    result = answering(
        file,
        *("my stack", "my-stack"),
        *("nowhere", "us-east-1"),
        *("ops", "ops@example.com"),
        *("https://api.example.com", "api.example.com"),
        *("", CERTIFICATE.replace("us-east-1", "sa-east-1"), CERTIFICATE),
    )
    assert result.exit_code == 0
    assert result.output.count("Error: it must have the form of ") == 5
    assert Answers.read(file) == Answers(
        "my-stack",
        "us-east-1",
        {"AlarmEmail": "ops@example.com", "DomainName": "api.example.com", "CertificateArn": CERTIFICATE},
    )


def test_without_answers_nothing_is_kept(file: Path) -> None:
    result = answering(file, "", "")
    assert result.exit_code == 1
    assert "the answers are missing: run this in a terminal" in result.output
    assert not file.exists()


def test_sam_reads_the_file_too(file: Path) -> None:
    answering(file, "", "", "", "")
    stack = tomllib.loads(file.read_text())["default"]["global"]["parameters"]
    assert stack == {"stack_name": "brskills", "region": "sa-east-1"}
