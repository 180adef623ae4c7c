"""Routes of the template: which need a key, which are throttled, what their access logs hold."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.services.expanded import of_type, template

OPEN = {
    *("keys", "plans", "participants", "status", "health", "openapi.json", "tools", "billing/webhook"),
    "skills/custom/{skill}",
}
"""Routes below /api/v1 without authorizer; documents, the page and /mcp have none either."""


@pytest.fixture(scope="module")
def definition(resources: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = resources["Api"]["Properties"]["Body"]
    return body


def test_every_route_but_the_open_ones_takes_key_and_usage_plan(definition: dict[str, Any]) -> None:
    for path, methods in definition["paths"].items():
        for method, operation in methods.items():
            schemes = {name for scheme in operation.get("security", []) for name in scheme}
            is_open = not path.startswith("/api/") or path.removeprefix("/api/v1/") in OPEN
            expected = set() if is_open or method == "options" else {"KeyAuthorizer", "api_key"}
            assert schemes == expected, (method, path)


def test_a_route_without_a_key_has_a_low_rate_unless_listed(
    resources: dict[str, Any], definition: dict[str, Any]
) -> None:
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage").values()
    rates = {
        (
            "/" + setting["ResourcePath"].strip("/").replace("~1", "/").strip("/"),
            setting["HttpMethod"].lower(),
        ): (
            setting["ThrottlingRateLimit"],
            setting["ThrottlingBurstLimit"],
        )
        for setting in stage["MethodSettings"]
    }
    assert rates.pop(("/*", "*")) == (50, 100)
    keyed = {
        (path, method)
        for path, methods in definition["paths"].items()
        for method, operation in methods.items()
        if method != "options" and operation.get("security")
    }
    highest = max(rates.values())
    assert {route for route, rate in rates.items() if rate == highest} == keyed
    assert {route: rate for route, rate in rates.items() if rate != highest} == {
        ("/api/v1/keys", "post"): (5, 10),
        ("/api/v1/skills/custom/{skill}", "post"): (500, 1000),
        ("/oauth/authorize", "post"): (10, 20),
        ("/oauth/register", "post"): (5, 10),
        ("/static/{file+}", "get"): (400, 800),
    }


def test_access_logs_are_off_by_default_and_hold_neither_caller_nor_path(resources: dict[str, Any]) -> None:
    assert template()["Parameters"]["AccessLogs"]["Default"] == "off"
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage").values()
    condition, logged, nothing = stage["AccessLogSetting"]["Fn::If"]
    assert (condition, nothing) == ("LogsAccess", {"Ref": "AWS::NoValue"})
    assert set(re.findall(r"\$context\.([A-Za-z.]+)", logged["Format"])) == {
        *("requestId", "httpMethod", "resourcePath", "status"),
        *("responseLatency", "integrationLatency", "error.responseType"),
    }
    assert json.loads(re.sub(r"\$context\.[A-Za-z.]+", "x", logged["Format"]))
