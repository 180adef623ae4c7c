"""The template as CloudFormation gets it: SAM's shorthand expanded, without any call to AWS.

``python -m tests.services.expanded`` prints it for linters; arguments like ``Deployment=…`` set parameters.
"""

import copy
import json
import logging
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import yaml

from brskills_server.gateway.template import PATH, Loader
from deployment.local_template import unroll

REGION = "sa-east-1"
UPLOADED = "s3://artefacts/placeholder.zip"  # what `sam package` would put in place of a folder


@cache
def read(file: str) -> dict[str, Any]:
    """Return a template beside ``template.yaml``. It is cached: do not change it."""
    parsed: dict[str, Any] = yaml.load(PATH.with_name(file).read_text(), Loader=Loader)  # noqa: S506, a SafeLoader
    return parsed


@cache
def template(**parameters: str) -> dict[str, Any]:
    """Return ``template.yaml``, loops unrolled, with these defaults. It is cached: do not change it."""
    parsed = copy.deepcopy(read(PATH.name))
    parsed["Resources"] = unroll(parsed["Resources"])
    for name, value in parameters.items():
        parsed["Parameters"][name]["Default"] = value
    return parsed


@cache
def expanded(**parameters: str) -> dict[str, Any]:
    """Return the expanded template with these defaults of parameters. It is cached: do not change it."""
    return expand(template(**parameters))


def monitoring() -> dict[str, Any]:
    """Return the resources of ``monitoring.yaml``, its parameters replaced by what the root gives them."""
    given = template()["Resources"]["MonitoringStack"]["Properties"]["Parameters"]
    found: dict[str, Any] = _replace_references(read("monitoring.yaml")["Resources"], given)
    return found


def _replace_references(value: Any, given: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_replace_references(each, given) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"Ref"}:
        return given.get(value["Ref"], value)
    return {name: _replace_references(each, given) for name, each in value.items()}


def resources(**parameters: str) -> dict[str, Any]:
    """Return the resources of the expanded template."""
    found: dict[str, Any] = expanded(**parameters)["Resources"]
    return found


def expand(source: dict[str, Any]) -> dict[str, Any]:
    """Return a template expanded. Raise an exception of samtranslator if it is invalid."""
    import boto3  # both slow to import, and needed by few tests
    from samtranslator.parser.parser import Parser
    from samtranslator.translator.translator import Translator

    # It warns of settings that only AWS' own service has.
    logging.getLogger("samtranslator.feature_toggle").setLevel(logging.ERROR)
    source = copy.deepcopy(source)
    for resource in source["Resources"].values():
        for name in ("CodeUri", "ContentUri", "Location"):
            uri = resource.get("Properties", {}).get(name)
            if isinstance(uri, str) and not uri.startswith(("s3://", "http")):
                resource["Properties"][name] = UPLOADED
    defaults = {name: parameter.get("Default") for name, parameter in source["Parameters"].items()}
    session = boto3.Session(region_name=REGION)  # for the region's name alone
    translator = Translator({}, Parser(), boto_session=session)
    made: dict[str, Any] = translator.translate(source, {**defaults, "AWS::Region": REGION})
    return made


def for_linters(source: dict[str, Any]) -> dict[str, Any]:
    """Return an expanded template without parameters and mappings that SAM itself has used up."""
    made = copy.deepcopy(source)
    del made["Parameters"]["Release"], made["Parameters"]["Deployment"]
    del made["Mappings"]["Deployments"]
    return made


def of_type(found: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the properties of resources of a type, by logical name."""
    return {name: r["Properties"] for name, r in found.items() if r["Type"] == kind}


class Right(NamedTuple):
    """A statement of a role, from its own policies or one that it shares; ``condition``: of the template."""

    role: str
    statement: dict[str, Any]
    condition: str


def rights(found: dict[str, Any]) -> list[Right]:
    """Return the rights of every role."""
    return [
        Right(name, *_conditional(statement, condition))
        for name, role in of_type(found, "AWS::IAM::Role").items()
        for policy, condition in _policies(found, name, role)
        for statement in policy["PolicyDocument"]["Statement"]
    ]


def _policies(found: dict[str, Any], name: str, role: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield policies of a role, with the condition on which it has them: its own, named and attached ones."""
    yield from ((policy, "") for policy in role["Policies"])
    for shared in role.get("ManagedPolicyArns", []):
        policy = found[_conditional(shared, "")[0]["Ref"]]
        yield policy["Properties"], policy.get("Condition", "")
    for resource in found.values():
        if resource["Type"] == "AWS::IAM::Policy":
            roles = [_conditional(one, "")[0] for one in resource["Properties"]["Roles"]]
            if {"Ref": name} in roles:
                yield resource["Properties"], resource["Condition"]


def _conditional(value: dict[str, Any], condition: str) -> tuple[dict[str, Any], str]:
    return (value["Fn::If"][1], value["Fn::If"][0]) if "Fn::If" in value else (value, condition)


def statements(found: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return role and statement of every policy, conditional ones included."""
    return [(right.role, right.statement) for right in rights(found)]


if __name__ == "__main__":
    given = dict(argument.split("=") for argument in sys.argv[1:])
    print(json.dumps(for_linters(expanded(**given)), indent=1, ensure_ascii=False))
