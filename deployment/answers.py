"""The operator's answers, kept in a file of SAM's own form beside ``samconfig.toml``."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

_FILE = """\
# Answers of `make deploy`. Change them here; the next `make deploy` applies them.
version = 0.1

[default.global.parameters]
stack_name = {stack_name}
region = {region}

[default.deploy.parameters.parameter_overrides]
{parameters}
"""


@dataclass(frozen=True, slots=True)
class Answers:
    """Name and region of the stack, and those parameters of the template that ``make deploy`` asks for."""

    stack_name: str
    region: str
    parameters: dict[str, str]

    @classmethod
    def read(cls, file: Path) -> Answers:
        """Return the answers in a file. Raise ``ValueError`` or ``KeyError`` if it has another form."""
        written = tomllib.loads(file.read_text(encoding="utf-8"))["default"]
        stack, parameters = written["global"]["parameters"], written["deploy"]["parameters"]
        return cls(stack["stack_name"], stack["region"], parameters["parameter_overrides"])

    def write(self, file: Path) -> None:
        """Write the answers, for ``read`` and for ``sam … --config-file``."""
        parameters = "\n".join(f"{name} = {json.dumps(value)}" for name, value in self.parameters.items())
        stack_name, region = json.dumps(self.stack_name), json.dumps(self.region)
        file.write_text(
            _FILE.format(stack_name=stack_name, region=region, parameters=parameters), encoding="utf-8"
        )

    def changed_by(self, words: Iterable[str]) -> Answers:
        """Return the answers with the parameters that ``words`` of the form ``Name=value`` replace."""
        given = dict(word.split("=", 1) for word in words if "=" in word)
        changed = {name: given.get(name, value).strip('"') for name, value in self.parameters.items()}
        return replace(self, parameters=changed)

    def options(self) -> list[str]:
        """Return the options of ``sam deploy``; further parameters may follow."""
        overrides = [f'{name}="{value}"' for name, value in self.parameters.items()]
        return ["--stack-name", self.stack_name, "--region", self.region, "--parameter-overrides", *overrides]
