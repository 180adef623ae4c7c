"""Hostile requests as API Gateway passes them on: an event for a route, and a body for it."""

import base64
import json
import re
from random import Random
from typing import Any
from urllib.parse import urlencode

from brskills_server.gateway.template import GatewayRoute
from lab.fuzz import hostile
from lab.fuzz.samples import BODIES, COMPANIES, META, NAMES, SIGNATURE, TOOLS, VALUES
from lab.fuzz.service import ACCOUNT_ROUTES, Service
from tests.conftest import DEMO_KEY
from tests.services.in_process import VERIFIER

UNSENT = re.compile("[^ -~\xa0-\xff]")
"""Characters that no header can carry."""


def event_of(chance: Random, service: Service, route: GatewayRoute) -> dict[str, Any]:
    headers = {name: _header(chance) for name in chance.sample(NAMES, k=chance.choice([0, 0, 0, 1, 2, 4]))}
    key = service.key if chance.random() < 0.8 else DEMO_KEY
    if route.resource in ACCOUNT_ROUTES:  # the account is needed again
        key = DEMO_KEY
    headers |= {"X-API-Key": key} if chance.random() < 0.9 else {}
    headers.setdefault("Host", "api.example")
    if route.resource == "/api/v1/billing/webhook":
        headers["Stripe-Signature"] = UNSENT.sub("", hostile.changed(chance, SIGNATURE))
    query = {hostile.text(chance, 8): hostile.text(chance) for _ in range(chance.choice([0, 0, 0, 1, 3]))}
    if chance.random() < 0.2:
        query |= {chance.choice(["format", "lang", "idade_maxima", "scope"]): hostile.text(chance)}
    parameters = {
        name: chance.choice([*COMPANIES, "look_up_bank", "x", hostile.text(chance)])
        for name in ("cnpj", "skill", "file", "name", "id")
        if "{" + name in route.resource
    }
    many = chance.random() < 0.5
    return {
        "httpMethod": route.method,
        "resource": route.resource,
        "path": route.resource,
        "headers": headers,
        "multiValueHeaders": {name: [value] * chance.choice([1, 1, 2]) for name, value in headers.items()}
        if many
        else None,
        "queryStringParameters": query or None,
        "multiValueQueryStringParameters": {name: [value] for name, value in query.items()}
        if many and query
        else None,
        "pathParameters": parameters or None,
        "requestContext": {
            "requestId": "r",
            "path": chance.choice(["/v1", ""]) + route.resource,
            "identity": {"sourceIp": chance.choice(["192.0.2.1", "2001:db8::1", ""])},
        },
        "isBase64Encoded": False,
        "body": None,
    }


def _header(chance: Random) -> str:
    """A value that HTTP can carry: API Gateway passes on nothing else."""
    value = chance.choice(VALUES) if chance.random() < 0.6 else hostile.text(chance)
    return UNSENT.sub("", value)[:8_000]


def put_body(chance: Random, event: dict[str, Any], raw: bytes) -> None:
    """The body as API Gateway passes it on: as text, what is not UTF-8 replaced in it, or in base64."""
    if chance.random() < 0.2:
        event |= {"body": base64.b64encode(raw).decode(), "isBase64Encoded": True}
    elif raw:
        event["body"] = raw.decode("utf-8", "replace")


def any_body(chance: Random, service: Service, event: dict[str, Any]) -> bytes:
    resource = event["resource"]
    if resource.startswith("/mcp"):
        return message_body(chance, service, event)
    if resource in {"/oauth/authorize", "/oauth/token", "/oauth/revoke"}:
        return sign_in_body(chance, service, event)
    way = chance.randrange(10)
    if way == 0:
        return chance.randbytes(chance.randrange(300))
    if way == 1:
        return hostile.json_bytes(chance, hostile.value(chance))
    right = chance.choice(BODIES.get(resource, [{}]))
    return hostile.json_bytes(chance, right if way == 2 else hostile.changed_json(chance, right))


def sign_in_body(chance: Random, service: Service, event: dict[str, Any]) -> bytes:
    if event["resource"] == "/oauth/register" or event["resource"].startswith("/api/"):
        right = chance.choice(BODIES.get(event["resource"], [{}]))
        return hostile.json_bytes(chance, hostile.changed_json(chance, right))
    if event["resource"] == "/oauth/authorize":
        answers = {"answer": chance.choice(["allow", "deny", "new_key", "x"])}
        said = {**service.form, **answers, "key": chance.choice([DEMO_KEY, service.key])}
        event["queryStringParameters"] = _changed_fields(chance, service.consent_query())
        event["headers"] |= {"Sec-Fetch-Site": "same-origin", "Cookie": service.cookie}
    else:
        kind = chance.choice(["authorization_code", "refresh_token", "x"])
        said = {
            "grant_type": kind,
            "client_id": service.client_id,
            "code_verifier": VERIFIER,
            **service.tokens(),
        }
        event["queryStringParameters"] = None
    event["multiValueQueryStringParameters"] = event["multiValueHeaders"] = None
    if chance.random() < 0.95:
        event["headers"]["X-Forwarded-Proto"] = "https"
    if chance.random() < 0.9:
        event["headers"]["Content-Type"] = "application/x-www-form-urlencoded"
    fields = _changed_fields(chance, said)
    return urlencode(list(fields.items()), errors="surrogatepass").encode()


def _changed_fields(chance: Random, right: dict[str, str]) -> dict[str, str]:
    fields = dict(right)
    for _ in range(chance.choice([0, 1, 1, 2, 3])):
        name = chance.choice([*fields, "ui_locales", "prompt", "redirect_uri", "client_id"])
        way = chance.randrange(4)
        if way == 0:
            fields.pop(name, None)
        elif way == 1:
            fields[name] = hostile.changed(chance, fields.get(name, ""))
        elif way == 2:
            fields[name] = chance.choice(
                ["https://a.example/c.json", "http://127.0.0.1:1/cb", "com.example:/x", "a b"]
            )
        else:
            fields[name] = hostile.text(chance)
    return fields


def message_body(chance: Random, service: Service, event: dict[str, Any]) -> bytes:
    method = chance.choice(
        ["initialize", "ping", "tools/list", "tools/call", "tools/call", "server/discover", "x"]
    )
    params: dict[str, Any] = (
        dict(chance.choice(TOOLS)) if method == "tools/call" else {"protocolVersion": "2025-11-25"}
    )
    message: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": chance.choice([1, "a", None]),
        "method": method,
        "params": params,
    }
    if chance.random() < 0.5:
        params["_meta"] = META
        event["headers"] |= {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
        event["headers"] |= {"Mcp-Name": params["name"]} if "name" in params else {}
        event["multiValueHeaders"] = None
    if chance.random() < 0.1:
        del message["id"]
    if chance.random() < 0.6:
        message = hostile.changed_json(chance, message)
    event["headers"].setdefault("Content-Type", "application/json")
    return hostile.json_bytes(chance, message) if chance.random() < 0.9 else json.dumps(message).encode()
