"""The template as CloudFormation gets it: SAM's shorthand expanded, without any call to AWS.

``python -m tests.services.expanded`` prints it, for the linters.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import boto3
import yaml
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from gateway.template import PATH, Loader

REGION = "sa-east-1"
UPLOADED = "s3://artefacts/placeholder.zip"  # what `sam package` would put in place of a folder


def read() -> dict[str, Any]:
    template: dict[str, Any] = yaml.load(PATH.read_text(), Loader=Loader)  # noqa: S506, a SafeLoader
    return template


def expand(template: dict[str, Any]) -> dict[str, Any]:
    """The expanded template; raises where SAM finds fault with it."""
    template = copy.deepcopy(template)
    for resource in template["Resources"].values():
        for name in ("CodeUri", "ContentUri"):
            uri = resource.get("Properties", {}).get(name)
            if isinstance(uri, str) and not uri.startswith("s3://"):
                resource["Properties"][name] = UPLOADED
    defaults = {name: parameter.get("Default") for name, parameter in template["Parameters"].items()}
    session = boto3.Session(region_name=REGION)  # asked for the region's name only
    translator = Translator({}, Parser(), boto_session=session)
    expanded: dict[str, Any] = translator.translate(template, {**defaults, "AWS::Region": REGION})
    return expanded


def for_linters(expanded: dict[str, Any]) -> dict[str, Any]:
    """The same, with the exceptions that an API's metadata names told of its stage, which SAM leaves bare.

    Without the parameter that SAM itself uses up, of which CloudFormation is told nothing.
    """
    del expanded["Parameters"]["Release"]
    resources = expanded["Resources"]
    for stage in resources.values():
        if stage["Type"] == "AWS::ApiGateway::Stage":
            stage["Metadata"] = resources[stage["Properties"]["RestApiId"]["Ref"]]["Metadata"]
    return expanded


if __name__ == "__main__":
    print(json.dumps(for_linters(expand(read())), indent=1, ensure_ascii=False))
