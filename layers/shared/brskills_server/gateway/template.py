"""The parts of ``template.yaml`` that the gateway needs: routes, authorizer, CORS, responses, tables."""

import importlib.util
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_PACKAGE = Path(__file__).parents[1]
_HOME = _PACKAGE if (_PACKAGE / "template.yaml").is_file() else _PACKAGE.parents[2]
"""Template and functions are in the installed package, or at the root of a checkout."""

PATH = _HOME / "template.yaml"


@dataclass(frozen=True, slots=True)
class GatewayRoute:
    """One ``Api`` event of a function: method, path, and whether it needs an API key."""

    method: str
    resource: str
    function: str
    requires_key: bool
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class GatewayError:
    """A gateway response; header values are API Gateway's mapping expressions."""

    status: int
    code: str
    headers: dict[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class Template:
    """A deployment. Functions are named by their folder, tables without the suffix "Table"."""

    routes: tuple[GatewayRoute, ...]
    authorizer: str
    authorizer_seconds: int
    cors: dict[str, str]
    errors: dict[str, GatewayError]
    tables: dict[str, dict[str, Any]]


def load_handler(function: str) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """Return the handler of a function, loaded by its file as Lambda does."""
    path = _HOME / "functions" / function / "app.py"
    spec = importlib.util.spec_from_file_location(f"brskills_server.functions.{function}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"no module at {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    handler: Callable[[dict[str, Any], Any], dict[str, Any]] = module.handler
    return handler


@cache
def load(path: Path = PATH) -> Template:
    """Return the template, parsed once a process. Raise ``KeyError`` if it lacks a part."""
    parsed = yaml.load(path.read_text(), Loader=Loader)["Resources"]  # noqa: S506, a SafeLoader
    # Loops make gateway keys alone, which the gateway does not need.
    resources = {name: each for name, each in parsed.items() if not name.startswith("Fn::ForEach::")}
    api = resources["Api"]["Properties"]
    functions = {
        name: resource["Properties"]
        for name, resource in resources.items()
        if resource["Type"] == "AWS::Serverless::Function"
    }
    authorizer = api["Auth"]["Authorizers"][api["Auth"]["DefaultAuthorizer"]]
    return Template(
        routes=_routes(functions),
        authorizer=_folder(functions[re.findall(r"\w+", authorizer["FunctionArn"]["Fn::Sub"])[0]]),
        authorizer_seconds=authorizer["Identity"]["ReauthorizeEvery"],
        cors={name: value.strip("'") for name, value in api["Cors"].items()},
        errors={kind: _error(response) for kind, response in api["GatewayResponses"].items()},
        tables={
            name.removesuffix("Table"): resource["Properties"]
            for name, resource in resources.items()
            if resource["Type"] == "AWS::DynamoDB::Table"
        },
    )


def _routes(functions: dict[str, Any]) -> tuple[GatewayRoute, ...]:
    """Return the routes in the order of matching: fixed paths first, then longer ones."""
    routes = [
        GatewayRoute(
            method=event["Properties"]["Method"].upper(),
            resource=event["Properties"]["Path"],
            function=_folder(function),
            requires_key=event["Properties"].get("Auth", {}).get("Authorizer") != "NONE",
            pattern=_pattern(event["Properties"]["Path"]),
        )
        for function in functions.values()
        for event in function.get("Events", {}).values()
        if event["Type"] == "Api"
    ]
    return tuple(sorted(routes, key=lambda route: ("{" in route.resource, -len(route.resource))))


def _pattern(resource: str) -> re.Pattern[str]:
    """Return the pattern of a path; ``{name}`` matches one segment, ``{name+}`` the rest."""
    escaped = re.escape(resource)
    greedy = re.sub(r"\\\{(\w+)\\\+\\\}", r"(?P<\1>.+)", escaped)
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", greedy) + r"\Z", re.DOTALL)


def _folder(function: dict[str, Any]) -> str:
    return str(function["CodeUri"]).removeprefix("functions/")


def _error(response: dict[str, Any]) -> GatewayError:
    body = response["ResponseTemplates"]["application/json"]
    return GatewayError(
        status=int(response["StatusCode"]),
        code=json.loads(body)["code"],
        headers=response["ResponseParameters"]["Headers"],
        body=body,
    )


class Loader(yaml.CSafeLoader):
    """A YAML loader that reads CloudFormation's short tags (``!Ref``) as their long form (``{"Ref": …}``)."""


def _construct_tag(loader: Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    name = suffix if suffix in {"Ref", "Condition"} else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        return {name: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    return {name: loader.construct_mapping(node, deep=True)}  # type: ignore[arg-type]


Loader.add_multi_constructor("!", _construct_tag)
