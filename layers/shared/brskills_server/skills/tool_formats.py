"""The skills as tools, in the format of each maker's API; arguments are the skills' request models."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from brskills_server.skills.catalogue import SKILLS
from brskills_server.skills.skill import Model, Skill

_KEPT = (
    "type", "description", "enum", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "items", "default", "examples",
)  # fmt: skip
_LENGTHS = ("minItems", "maxItems")
"""Kept of required lists alone: of optional ones they would lengthen every list of tools."""


def description_of(skill: Skill) -> str:
    """Return what a model reads of a skill: what it does, when to use it and when not."""
    texts = skill.texts
    return f"{texts.purpose} Use {texts.use} Não use {texts.avoid} {texts.notes} / {texts.english}"


def _openai(skill: Skill) -> dict[str, Any]:
    return {"type": "function", "function": _named(skill, "parameters")}


def _anthropic(skill: Skill) -> dict[str, Any]:
    return _named(skill, "input_schema")


def _gemini(skill: Skill) -> dict[str, Any]:
    # Gemini reads a subset of OpenAPI's schema and rejects other members.
    tool = _named(skill, "parameters")
    del tool["parameters"]["additionalProperties"]
    for field in tool["parameters"]["properties"].values():
        field.pop("examples", None)
    return tool


def _mcp(skill: Skill) -> dict[str, Any]:
    # Not a part of MCP, but ChatGPT signs in for no tool that lacks it in either place.
    schemes = [{"type": "oauth2", "scopes": [skill.scope]}]
    return {
        **_named(skill, "inputSchema"),
        "title": skill.texts.title,
        "annotations": {
            "title": skill.texts.title,
            "readOnlyHint": not skill.effect,
            "idempotentHint": True,
            "destructiveHint": skill.effect == "ends",
            "openWorldHint": skill.uses_external_data,
        },
        "securitySchemes": schemes,
        "_meta": {"securitySchemes": schemes},
    }


def _named(skill: Skill, schema: str) -> dict[str, Any]:
    described = flat_schema(skill.request_model)
    return {"name": skill.name, "description": description_of(skill), schema: described}


_WRITERS: dict[str, Callable[[Skill], dict[str, Any]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "mcp": _mcp,
}
FORMATS = tuple(_WRITERS)


def tools_as(form: str, custom: Iterable[Skill] = ()) -> list[dict[str, Any]]:
    """Return the value for ``tools`` in one of ``FORMATS``, with the caller's custom skills last."""
    tools = [*_standard_tools(form), *map(_WRITERS[form], custom)]
    return [{"functionDeclarations": tools}] if form == "gemini" else tools


@cache
def _standard_tools(form: str) -> list[dict[str, Any]]:
    return [_WRITERS[form](skill) for skill in SKILLS.values()]


def flat_schema(model: Model) -> dict[str, Any]:
    """Return the schema of a model whose fields are texts, whole numbers, booleans, and lists of such."""
    full = model.model_json_schema()
    required = full.get("required", [])
    return {
        "type": "object",
        "properties": {
            name: _flat(field, _KEPT + _LENGTHS * (name in required))
            for name, field in full.get("properties", {}).items()
        },
        "required": required,
        "additionalProperties": False,
    }


def _flat(field: dict[str, Any], kept: Sequence[str]) -> dict[str, Any]:
    chosen = field if "items" in field else _simplest(field.get("anyOf", []))
    merged = {**chosen, **field}
    if "items" in chosen:
        merged["items"] = _simplest(chosen["items"].get("anyOf", [chosen["items"]]))
    if "items" in chosen and "examples" in field:
        merged["examples"] = [
            example if isinstance(example, list) else [example] for example in field["examples"]
        ]
    return {name: merged[name] for name in kept if merged.get(name) is not None}


def _simplest(options: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a list, or of a text, or the first; empty without any but ``null``."""
    given = [option for option in options if option != {"type": "null"}]
    by_type = {option.get("type"): option for option in given}
    return by_type.get("array") or by_type.get("string") or (given[0] if given else {})
