"""``make deploy``, the first time: ask for stack, region, e-mail and domain, and keep the answers."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import botocore.session
import click
import yaml

from brskills_server.gateway.template import PATH, Loader
from deployment.answers import Answers

_STACK_NAME = "[A-Za-z][A-Za-z0-9-]{0,127}"
_REGION = "[a-z]{2}(-[a-z]+)+-[0-9]"
_CERTIFICATE = "arn:aws[a-z-]*:acm:{region}:[0-9]{{12}}:certificate/[A-Za-z0-9-]+"
_DEFAULT_REGION = "sa-east-1"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def main(file: Path) -> None:
    """Ask for a deployment's answers and write them to FILE."""
    try:
        ask().write(file)
    except click.Abort:
        raise click.ClickException(
            f"the answers are missing: run this in a terminal, or write {file}"
        ) from None
    click.echo(f"Kept in {file}, where you can change them.")


def ask() -> Answers:
    """Return the answers typed at the terminal, each valid for the template."""
    parameters = _parameters()
    stack_name = _ask("Stack name", _STACK_NAME, "brskills-test", default="brskills")
    region = _ask("Region", _REGION, "sa-east-1", default=_region())
    email = _ask(
        "E-mail for alarms (empty: none)", example="ops@example.com", **_rules(parameters["AlarmEmail"])
    )
    domain = _ask("Domain (empty: none)", example="api.example.com", **_rules(parameters["DomainName"]))
    certificate = ""
    if domain:
        example = f"arn:aws:acm:{region}:…:certificate/…"
        certificate = _ask("ARN of the domain's certificate", _CERTIFICATE.format(region=region), example)
    return Answers(
        stack_name, region, {"AlarmEmail": email, "DomainName": domain, "CertificateArn": certificate}
    )


def _ask(question: str, pattern: str, example: str, longest: int = 2_000, default: str | None = None) -> str:
    def valid(typed: str) -> str:
        if len(typed) > longest or not re.fullmatch(pattern, typed):
            raise click.BadParameter(f"it must have the form of {example}")
        return typed

    answer: str = click.prompt(question, default=default, show_default=bool(default), value_proc=valid)
    return answer


def _rules(parameter: dict[str, Any]) -> dict[str, Any]:
    return {"pattern": parameter["AllowedPattern"], "longest": parameter["MaxLength"], "default": ""}


def _parameters() -> dict[str, Any]:
    template = yaml.load(PATH.read_text(encoding="utf-8"), Loader=Loader)  # noqa: S506, a SafeLoader
    found: dict[str, Any] = template["Parameters"]
    return found


def _region() -> str:
    configured = botocore.session.Session().get_config_variable("region")
    return os.environ.get("AWS_REGION") or configured or _DEFAULT_REGION


if __name__ == "__main__":
    main()
