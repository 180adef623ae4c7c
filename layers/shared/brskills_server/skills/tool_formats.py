"""The skills as tools, in the format of each maker's API; arguments are the skills' request models.

Texts are in ``pt``, with a sentence in English for search by words, or in ``en``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from brskills_server.skills.catalogue import offered_skills
from brskills_server.skills.skill import Model, Skill
from brskills_server.web.translation import translate

_KEPT = (
    "type", "description", "enum", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "items", "default", "examples",
)  # fmt: skip
_LENGTHS = ("minItems", "maxItems")
"""Kept of required lists alone: of optional ones they would lengthen every list of tools."""


def description_of(skill: Skill, language: str = "pt") -> str:
    """Return what a model reads of a skill: what it does, when to use it and when not."""
    texts = skill.texts
    parts = (texts.purpose, f"Use {texts.use}", f"Não use {texts.avoid}", texts.notes)
    joined = " ".join(translate(part, language) for part in parts)
    return joined if language == "en" else f"{joined} / {texts.english}"


def _openai(skill: Skill, language: str) -> dict[str, Any]:
    return {"type": "function", "function": _named(skill, language, "parameters")}


def _anthropic(skill: Skill, language: str) -> dict[str, Any]:
    return _named(skill, language, "input_schema")


def _gemini(skill: Skill, language: str) -> dict[str, Any]:
    # Gemini reads a subset of OpenAPI's schema and rejects other members.
    tool = _named(skill, language, "parameters")
    del tool["parameters"]["additionalProperties"]
    for field in tool["parameters"]["properties"].values():
        field.pop("examples", None)
    return tool


def _mcp(skill: Skill, language: str) -> dict[str, Any]:
    title = translate(skill.texts.title, language)
    # Not a part of MCP, but ChatGPT signs in for no tool that lacks it in either place.
    schemes = [{"type": "oauth2", "scopes": [skill.scope]}]
    return {
        **_named(skill, language, "inputSchema"),
        "outputSchema": _output_schema(skill),
        "title": title,
        "annotations": {
            "title": title,
            "readOnlyHint": not skill.effect,
            "idempotentHint": True,
            "destructiveHint": skill.effect == "ends",
            "openWorldHint": skill.uses_external_data,
        },
        "securitySchemes": schemes,
        "_meta": {"securitySchemes": schemes},
    }


def _named(skill: Skill, language: str, schema: str) -> dict[str, Any]:
    described = flat_schema(skill.request_model)
    for field in described["properties"].values():
        field["description"] = translate(field["description"], language)
    return {"name": skill.name, "description": description_of(skill, language), schema: described}


def _output_schema(skill: Skill) -> dict[str, Any]:
    """Return the members of an answer with their types.

    None is required: clients check errors by it too, whose content is a problem.
    """
    if skill.outcomes:
        return {
            "type": "object",
            "properties": {"resultados": {"type": "array"}, "contadas": {"type": "integer"}},
        }
    schema = skill.result_model.model_json_schema(mode="serialization")
    known = {f"#/$defs/{name}": described for name, described in schema.get("$defs", {}).items()}
    forms = [known.get(form.get("$ref"), form) for form in schema.get("anyOf", [schema])]
    fields = {name: field for form in forms for name, field in form.get("properties", {}).items()}
    return {"type": "object", "properties": {name: _types(field, known) for name, field in fields.items()}}


def _types(field: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    options = [known.get(option.get("$ref"), option) for option in field.get("anyOf", [field])]
    types = [option["type"] for option in options if "type" in option]
    return {"type": types if types[1:] else types[0]} if len(types) == len(options) else {}


_WRITERS: dict[str, Callable[[Skill, str], dict[str, Any]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "mcp": _mcp,
}
FORMATS = tuple(_WRITERS)


def tools_as(
    form: str, custom: Iterable[Skill] = (), language: str = "pt", *, with_copy: bool = True
) -> list[dict[str, Any]]:
    """Return the value for ``tools`` in one of ``FORMATS``, with the caller's custom skills last.

    ``with_copy``: the deployment has a copy of the register.
    """
    tools = [
        *_standard_tools(form, language, with_copy),
        *(_WRITERS[form](skill, language) for skill in custom),
    ]
    return [{"functionDeclarations": tools}] if form == "gemini" else tools


@cache
def _standard_tools(form: str, language: str, with_copy: bool) -> list[dict[str, Any]]:
    return [_WRITERS[form](skill, language) for skill in offered_skills(with_copy=with_copy)]


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
