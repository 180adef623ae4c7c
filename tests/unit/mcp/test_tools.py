"""The tools as models see them: flat, described, the same in every format."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest

from brskills_server.skills.catalogue import SKILLS, TOOL_BATCHES
from brskills_server.skills.pix.models import PixRequest
from brskills_server.skills.tool_formats import FORMATS, description_of, tools_as
from brskills_server.web.translation import english

from .conftest import Caller

SCHEMA = {"openai": "parameters", "gemini": "parameters", "anthropic": "input_schema", "mcp": "inputSchema"}


def schemas(form: str) -> dict[str, dict[str, Any]]:
    tools = tools_as(form)
    if form == "gemini":
        tools = tools[0]["functionDeclarations"]
    if form == "openai":
        tools = [tool["function"] for tool in tools]
    return {tool["name"]: tool[SCHEMA[form]] for tool in tools}


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_the_same_tools_as_flat_objects_with_described_fields(form: str) -> None:
    found = schemas(form)
    expected = {name: set(skill.request_model.model_fields) for name, skill in SKILLS.items()}
    assert {name: set(schema["properties"]) for name, schema in found.items()} == expected
    for schema in found.values():
        assert schema["type"] == "object"
        assert form == "gemini" or schema["additionalProperties"] is False
        assert not {"$ref", "$defs", "anyOf", "oneOf"} & set(re.findall(r'"([^"]+)":', json.dumps(schema)))
        for field in schema["properties"].values():
            values = field["items"] if field["type"] == "array" else field
            assert values["type"] in {"string", "integer", "boolean"}
            assert field["description"]
        assert set(schema["required"]) <= set(schema["properties"])


def test_patterns_accept_their_own_examples() -> None:
    for schema in schemas("mcp").values():
        for field in schema["properties"].values():
            for example in field.get("examples", []):
                assert re.search(field.get("pattern", ""), str(example))
    pix = schemas("mcp")["create_pix_code"]["properties"]
    with_pattern = {name for name in PixRequest.model_fields if "pattern" in pix[name]}
    assert with_pattern == {"valor", "txid", "cep", "mcc", "url", "url_recorrencia", "ispb_saque"}


def test_every_tool_has_the_title_and_the_hints_that_directories_require() -> None:
    for tool in tools_as("mcp"):
        assert 1 <= len(tool["title"]) <= 64
        assert tool["annotations"] == {
            "title": tool["title"],
            "readOnlyHint": tool["name"] not in {"watch_companies", "unwatch_company"},
            "idempotentHint": True,
            "destructiveHint": tool["name"] == "unwatch_company",
            "openWorldHint": SKILLS[tool["name"]].uses_external_data,
        }


def test_in_english_no_text_of_a_tool_is_portuguese() -> None:
    texts = re.findall(
        r'"(?:title|description)": "((?:[^"\\\\]|\\\\.)*)"',
        json.dumps(tools_as("mcp", TOOL_BATCHES.values(), "en")),
    )
    portuguese = set(english()) - set(english().values())
    for text in texts:
        assert not text.startswith(tuple(text for text in portuguese if len(text) > 30)), text
        assert not re.search(r"\b(não|uma|para|com|empresas)\b", text), text


def test_the_answers_and_the_problems_of_a_tool_are_of_its_output_schema(caller: Caller) -> None:
    problem = {
        "code": "invalid_fields",
        "status": 422,
        "detail": "x",
        "errors": [],
        "data_base": "2026-11-14",
    }
    for tool in tools_as("mcp", TOOL_BATCHES.values()):
        schema, example = tool["outputSchema"], {**SKILLS, **TOOL_BATCHES}[tool["name"]].example
        jsonschema.Draft202012Validator.check_schema(schema)
        for content in (example or {}, problem):
            jsonschema.validate(content, schema)
        assert "required" not in schema, "a problem has none of them"


def test_tools_that_need_a_copy_of_the_register_are_listed_where_it_is(caller: Caller) -> None:
    def listed(**headers: str) -> dict[str, str]:
        tools = caller.old("tools/list", **headers).body["result"]["tools"]
        return {tool["name"]: tool["title"] for tool in tools}

    everywhere = listed().keys()
    assert everywhere == SKILLS.keys() | TOOL_BATCHES.keys()
    caller.has_copy = False
    assert everywhere - listed().keys() == {"company_history", "search_companies"}
    assert listed(**{"Accept-Language": "en"})["get_usage"] == english()[listed()["get_usage"]]


def test_gemini_gets_no_word_it_refuses() -> None:
    words = set(re.findall(r'"([A-Za-z]+)":', json.dumps(tools_as("gemini"))))
    assert not {"additionalProperties", "examples"} & words


def test_a_batch_as_a_tool_is_not_described_by_a_route() -> None:
    for skill in TOOL_BATCHES.values():
        assert "/api/" not in description_of(skill)


def test_a_list_that_must_be_sent_says_how_long_it_may_be() -> None:
    (tool,) = (tool for tool in tools_as("mcp", TOOL_BATCHES.values()) if tool["name"] in TOOL_BATCHES)
    assert {"minItems": 1, "maxItems": 10}.items() <= tool["inputSchema"]["properties"]["cnpjs"].items()
