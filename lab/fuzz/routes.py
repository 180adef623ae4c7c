"""The routes: hostile events through the handlers of the functions, as API Gateway would pass them on."""

import base64
import json
from collections.abc import Callable
from contextlib import nullcontext
from random import Random
from typing import Any

from brskills_server.gateway.template import GatewayRoute, load
from lab.fuzz.driving import Open, place_of
from lab.fuzz.requests import any_body, event_of, message_body, put_body, sign_in_body
from lab.fuzz.service import HANDLED, Service

PROBLEM = {"type", "title", "status", "detail", "code", "request_id"}


def open_routes() -> Open:
    """A target: one request to any route."""
    return _target(lambda _: True, any_body)


def open_sign_in() -> Open:
    """A target: one request to what signs programs in, with parameters that are nearly right."""
    return _target(lambda route: route.function == "oauth", sign_in_body)


def open_messages() -> Open:
    """A target: one message to the MCP server."""
    return _target(lambda route: route.function == "mcp" and route.method == "POST", message_body)


Body = Callable[[Random, Service, dict[str, Any]], bytes]


def _target(wanted: Callable[[GatewayRoute], bool], body: Body) -> Open:
    service = Service()
    routes = [route for route in load().routes if route.function in HANDLED and wanted(route)]
    speaking = [route for route in routes if route.method == "POST" or "{" in route.resource]

    def run(chance: Random) -> None:
        route = chance.choice(speaking if chance.random() < 0.7 else routes)
        event = event_of(chance, service, route)
        put_body(chance, event, body(chance, service, event))
        answer = service.call(route.function, event, route.requires_key)
        if answer is None:
            return
        try:
            _judge(route, event, answer)
        except Exception as error:
            error.add_note(f"{route.method} {route.resource}")
            if service.failure:
                error.add_note(f"after {place_of(service.failure)}")
            raise

    return nullcontext(run)


def _judge(route: GatewayRoute, event: dict[str, Any], answer: dict[str, Any]) -> None:
    """Hold an answer against what API Gateway takes, and what callers are promised."""
    status, headers, body = answer["statusCode"], answer["headers"], answer["body"]
    assert 200 <= status < 600
    assert status != 500, "an internal error"
    for name, value in headers.items():
        value.encode("latin-1")
        assert not set("\r\n\x00") & set(name + value), "a header of the caller's making"
    text = base64.b64decode(body) if answer["isBase64Encoded"] else body.encode()
    kind = headers.get("Content-Type", "").partition(";")[0]
    if status < 400:
        assert kind != "application/json" or isinstance(json.loads(text), dict)
        return
    if route.function == "mcp":
        content = json.loads(text)
        assert content["jsonrpc"] == "2.0"
        assert content.keys() == {"jsonrpc", "id", "error"}
        return
    if route.function == "oauth" and not route.resource.startswith("/api/"):
        assert kind in {"application/json", "text/html"} or (kind, status) == (
            "application/problem+json",
            404,
        ), kind
        assert kind != "application/json" or json.loads(text)["error"]
        return
    assert kind == "application/problem+json", kind
    content = json.loads(text)
    assert content.keys() >= PROBLEM
    assert content["status"] == status
