"""The tools as models see them: flat, described, the same in every format."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from brskills_server.agents.formats import FORMATS, description_of, tools_as
from brskills_server.gateway.template import load
from brskills_server.skills.catalogue import SKILLS
from brskills_server.skills.pix.models import PixRequest


def schemas(form: str) -> dict[str, dict[str, Any]]:
    tools = tools_as(form)
    if form == "gemini":
        tools = tools[0]["functionDeclarations"]
    if form == "openai":
        tools = [tool["function"] for tool in tools]
    member = {
        "openai": "parameters",
        "gemini": "parameters",
        "anthropic": "input_schema",
        "mcp": "inputSchema",
    }
    return {tool["name"]: tool[member[form]] for tool in tools}


@pytest.mark.parametrize("form", FORMATS)
def test_schemas_are_flat_objects_with_described_fields(form: str) -> None:
    for schema in schemas(form).values():
        assert schema["type"] == "object"
        assert form == "gemini" or schema["additionalProperties"] is False
        assert not {"$ref", "$defs", "anyOf", "oneOf"} & set(re.findall(r'"([^"]+)":', json.dumps(schema)))
        for field in schema["properties"].values():
            assert field["type"] in {"string", "integer", "boolean"}
            assert field["description"]
        assert set(schema["required"]) <= set(schema["properties"])


def test_every_format_has_the_same_tools_and_fields() -> None:
    def fields(form: str) -> dict[str, set[str]]:
        return {name: set(schema["properties"]) for name, schema in schemas(form).items()}

    assert all(fields(form) == fields("mcp") for form in FORMATS)
    assert set(fields("mcp")["create_pix_code"]) == set(PixRequest.model_fields)


def test_patterns_accept_their_own_examples() -> None:
    for schema in schemas("mcp").values():
        for field in schema["properties"].values():
            for example in field.get("examples", []):
                if "pattern" in field:
                    assert re.search(field["pattern"], example)
    pix = schemas("mcp")["create_pix_code"]["properties"]
    assert all(
        "pattern" in pix[name]
        for name in ("valor", "txid", "cep", "mcc", "url", "url_recorrencia", "ispb_saque")
    )


def test_every_tool_says_when_to_use_it_and_when_not_in_two_languages() -> None:
    for skill in SKILLS.values():
        description = description_of(skill)
        assert "Use " in description
        assert "Não use " in description
        assert " / " in description
        assert re.fullmatch(r"[a-z_]{1,64}", skill.name)


def test_every_tool_has_the_title_and_the_hints_that_directories_ask_for() -> None:
    for tool in tools_as("mcp"):
        hints = tool["annotations"]
        assert tool["title"] == hints["title"]
        assert 1 <= len(tool["title"]) <= 64
        shown = {name: value for name, value in hints.items() if name != "title"}
        assert shown == {
            "readOnlyHint": True,
            "idempotentHint": True,
            "destructiveHint": False,
            "openWorldHint": SKILLS[tool["name"]].uses_external_data,
        }


def test_the_routes_of_the_tools_exist() -> None:
    routes = {(route.method, route.resource) for route in load().routes}
    shown = {(at.method, at.path) for skill in SKILLS.values() for at in skill.endpoints}
    assert shown <= routes


def test_gemini_gets_no_word_it_refuses() -> None:
    words = set(re.findall(r'"([A-Za-z]+)":', json.dumps(tools_as("gemini"))))
    assert not {"additionalProperties", "examples"} & words
