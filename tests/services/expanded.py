"""The template as CloudFormation gets it: SAM's shorthand expanded, without any call to AWS.

``python -m tests.services.expanded`` prints it, for the linters; ``Deployment=…`` behind it sets a parameter.
"""

from __future__ import annotations

import copy
import json
import logging
import sys
from typing import Any

import boto3
import yaml
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

from brskills_server.gateway.template import PATH, Loader

# It warns of settings that only AWS' own service has.
logging.getLogger("samtranslator.feature_toggle").setLevel(logging.ERROR)

REGION = "sa-east-1"
UPLOADED = "s3://artefacts/placeholder.zip"  # what `sam package` would put in place of a folder


def read(**parameters: str) -> dict[str, Any]:
    """The template, with these in place of its parameters' defaults."""
    template: dict[str, Any] = yaml.load(PATH.read_text(), Loader=Loader)  # noqa: S506, a SafeLoader
    for name, value in parameters.items():
        template["Parameters"][name]["Default"] = value
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

    Without what SAM itself uses up, of which CloudFormation is told no more.
    """
    del expanded["Parameters"]["Release"], expanded["Parameters"]["Deployment"]
    del expanded["Mappings"]["Deployments"]
    resources = expanded["Resources"]
    for stage in resources.values():
        if stage["Type"] == "AWS::ApiGateway::Stage":
            stage["Metadata"] = resources[stage["Properties"]["RestApiId"]["Ref"]]["Metadata"]
    return expanded


if __name__ == "__main__":
    given = dict(argument.split("=") for argument in sys.argv[1:])
    print(json.dumps(for_linters(expand(read(**given))), indent=1, ensure_ascii=False))
