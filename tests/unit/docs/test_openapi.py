"""The document holds what the template serves, and what the models and the catalogue say."""

import json
import re
from typing import Any

from brskills_server.gateway.template import load
from brskills_server.registry.company import Company
from brskills_server.runtime.settings import Settings
from brskills_server.skills.catalogue import SKILLS
from brskills_server.skills.tool_formats import description_of
from brskills_server.web.openapi.document import document
from brskills_server.web.problem_table import PROBLEMS
from brskills_server.web.response import EXPOSED_HEADERS
from functions.site import app as site

SETTINGS = Settings.from_environment({})
DOCUMENT = document("https://api.example.com/v1", SETTINGS)
ALWAYS_REFUSED = {
    ("GET", "/mcp"), ("DELETE", "/mcp"),
    ("GET", "/api/v1/skills/cnpj/lote"), ("GET", "/api/v1/skills/cnpj/historico"),
}  # fmt: skip


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method.upper(), path, operation)
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    ]


def test_its_server_is_where_it_was_requested() -> None:
    assert DOCUMENT["servers"] == [{"url": "https://api.example.com/v1"}]
    assert document("", SETTINGS)["servers"] == [{"url": "/"}]


def test_it_holds_every_route_of_the_template_and_no_other() -> None:
    served = {
        (route.method, route.resource.replace("+}", "}"))
        for route in load().routes
        # Custom skills are shown to those who may use them, and HEAD is where GET is.
        if route.function != "custom"
        and (route.function != "site" or (route.method, route.resource) in site.documents.routes)
        and route.method != "HEAD"
        # The sign-in has the documents of its standards.
        and (route.function != "oauth" or route.requires_key)
        and route.resource != "/mcp/oauth"  # described at /mcp
    }
    assert {(method, path) for method, path, _ in operations()} == served - ALWAYS_REFUSED


def test_the_range_of_a_field_is_described_in_words_of_json_schema() -> None:
    written = json.dumps(DOCUMENT)
    assert not re.search('"(ge|gt|le|lt|multiple_of)":', written)
    assert [
        (parameter["schema"]["minimum"], parameter["schema"]["maximum"])
        for parameter in DOCUMENT["paths"]["/api/v1/skills/cnpj/{cnpj}"]["get"]["parameters"]
        if parameter.get("in") == "query"
    ] == [(0, 10**9)] * 2


def test_every_open_get_route_has_a_head_and_no_other() -> None:
    routes = load().routes
    heads = {route.resource for route in routes if route.method == "HEAD"}
    assert heads == {route.resource for route in routes if route.method == "GET" and not route.requires_key}
    assert all(not route.requires_key for route in routes if route.method == "HEAD")


def test_keys_are_asked_for_where_the_template_does() -> None:
    keyed = {(route.method, route.resource.replace("+}", "}")): route.requires_key for route in load().routes}
    for method, path, operation in operations():
        assert ("security" not in operation) == keyed[method, path], path
        assert ("401" in operation["responses"]) == (keyed[method, path] or path == "/mcp"), path


def test_every_parameter_and_every_body_has_an_example() -> None:
    for _, path, operation in operations():
        for parameter in operation["parameters"]:
            assert "$ref" in parameter or parameter["example"], path
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        assert body is None or "examples" in body or path.endswith("webhook"), path
    for name, schema in DOCUMENT["components"]["schemas"].items():
        if name.endswith("Request"):
            assert all("description" in field for field in schema.get("properties", {}).values()), name


def test_the_example_of_a_header_can_be_sent() -> None:
    parameters = [parameter for _, _, operation in operations() for parameter in operation["parameters"]]
    headers = [parameter for parameter in parameters if parameter.get("in") == "header"]
    assert headers
    assert [header for header in headers if not re.fullmatch("[!-~]+", header["example"])] == []


def test_every_error_is_documented_with_an_example() -> None:
    shown = DOCUMENT["components"]["examples"]
    by_mcp_alone = {"invalid_token", "insufficient_scope"}
    assert set(shown) == {code for code in PROBLEMS if ":" not in code} - by_mcp_alone
    used = set(re.findall(r"#/components/examples/(\w+)", json.dumps(DOCUMENT["paths"])))
    assert used == set(shown)
    for code, example in shown.items():
        assert (example["value"]["code"], example["value"]["status"]) == (code, PROBLEMS[code].status)


def test_headers_are_those_that_are_exposed() -> None:
    assert set(DOCUMENT["components"]["headers"]) == set(EXPOSED_HEADERS.split(", "))
    used = set(re.findall(r"#/components/headers/([\w-]+)", json.dumps(DOCUMENT["paths"])))
    assert used == set(DOCUMENT["components"]["headers"])


def test_answers_may_gain_fields_and_requests_may_not() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert "additionalProperties" not in schemas["Company"]
    assert set(schemas["Company"]["properties"]) == set(Company.model_fields)
    assert set(schemas["Company"]["required"]) == set(Company.model_fields), "an answer has every field"
    assert schemas["PixRequest"]["additionalProperties"] is False
    assert schemas["PixRequest"]["properties"]["valor"]["anyOf"][1] == {
        "type": "number",
        "exclusiveMinimum": 0,
    }


def test_texts_for_models_are_in_tools_and_not_in_the_reference() -> None:
    written = json.dumps(DOCUMENT, ensure_ascii=False)
    for skill in SKILLS.values():
        assert skill.texts.use in description_of(skill)
        assert skill.texts.use not in written
        assert skill.texts.avoid not in written
