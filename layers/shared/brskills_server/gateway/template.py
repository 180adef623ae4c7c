"""What the gateway reads in ``template.yaml``: routes, authorizer, CORS, gateway responses, tables."""

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

__all__ = ["PATH", "GatewayError", "GatewayRoute", "Loader", "Template", "load", "load_handler"]

_PACKAGE = Path(__file__).parents[1]
_HOME = _PACKAGE if (_PACKAGE / "template.yaml").is_file() else _PACKAGE.parents[2]
"""The installed package carries the template and the functions; a checkout has both at its root."""

PATH = _HOME / "template.yaml"


@dataclass(frozen=True, slots=True)
class GatewayRoute:
    """One event of a function: its method and path, and whether the authorizer is asked first."""

    method: str
    resource: str
    function: str
    requires_key: bool
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class GatewayError:
    """An answer of the gateway itself; header values are API Gateway's mapping expressions."""

    status: int
    code: str
    headers: dict[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class Template:
    """The deployment as the gateway sees it. Functions are named by their folder, tables without "Table"."""

    routes: tuple[GatewayRoute, ...]
    authorizer: str
    authorizer_seconds: int
    cors: dict[str, str]
    errors: dict[str, GatewayError]
    tables: dict[str, dict[str, Any]]


def load_handler(function: str) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """Return the handler of the function in a folder of ``functions``, loaded as Lambda would: by its file."""
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
    """The template, parsed once a process; raises KeyError where it lacks what a gateway needs."""
    resources = yaml.load(path.read_text(), Loader=Loader)["Resources"]  # noqa: S506, a SafeLoader
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
    """Every route, in the order of matching: fixed paths first, then longer ones."""
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
    """``{name}`` matches one segment of a path, ``{name+}`` the rest of it."""
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
    """YAML with CloudFormation's short tags (``!Ref``), read as their long form (``{"Ref": …}``)."""


def _construct_tag(loader: Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    name = suffix if suffix in {"Ref", "Condition"} else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        return {name: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    return {name: loader.construct_mapping(node, deep=True)}  # type: ignore[arg-type]


Loader.add_multi_constructor("!", _construct_tag)
