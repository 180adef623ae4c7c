"""``make deploy``: deploy the built template with the operator's answers, and show what comes next."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import botocore.session
import click
from botocore.exceptions import BotoCoreError, ClientError

from deployment.answers import Answers


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("sam")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def main(file: Path, sam: str, words: Sequence[str]) -> None:
    """Deploy with the answers in FILE by the program SAM, with WORDS: parameters, then options.

    A parameter among WORDS that is an answer replaces it in FILE.
    """
    answers = Answers.read(file).changed_by(words)
    answers.write(file)
    if code := subprocess.run([sam, "deploy", *answers.options(), *words]).returncode:  # noqa: S603
        sys.exit(code)
    try:
        outputs = _outputs(answers)
    except (BotoCoreError, ClientError) as error:
        click.echo(f"The addresses are not known here: {error}", err=True)
    else:
        click.echo(next_steps(outputs))


def next_steps(outputs: Mapping[str, str]) -> str:
    """Return lines for the operator, from the outputs of the stack."""
    lines = [
        f"Base URL  {outputs['BaseUrl']}",
        f"Page      {outputs['Page']}",
        f"Check it  make smoke URL={outputs['BaseUrl']}",
    ]
    if target := outputs.get("DomainTarget"):
        lines.insert(2, f"DNS       let the domain be a CNAME or alias of {target}")
    return "\n".join(lines)


def _outputs(answers: Answers) -> dict[str, str]:
    (stack,) = _formation(answers).describe_stacks(StackName=answers.stack_name)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}


def _formation(answers: Answers) -> Any:
    return botocore.session.Session().create_client("cloudformation", region_name=answers.region)


if __name__ == "__main__":
    main()
