"""Rules for the models of a custom skill, so that every document and tool can be made of them."""

import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, RootModel

from brskills_server.skills.skill import Skill
from brskills_server.skills.validation import find_issues

_FLAT = {"string", "integer", "boolean"}
# OpenAPI allows such names of models alone, and makers of language models such names of fields.
_PLAIN = re.compile("[A-Za-z0-9_]{1,64}")


def faults_of_models(skill: Skill) -> Iterator[str]:
    """Yield what is wrong with a skill's request and result models, each in a few words."""
    models: dict[str, Any] = {"request": skill.request, "result": skill.result}
    for role, model in models.items():
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            yield f"{role} must be a model of pydantic"
            return
        if not model.__doc__:
            yield f"the {role} model needs a docstring, which the documents show"
        if not _PLAIN.fullmatch(model.__name__):
            yield f"the {role} model's name must be letters without accents, digits and underscores"
    schema = skill.request_model.model_json_schema()
    result = skill.result_model.model_json_schema(mode="serialization")
    if schema.get("additionalProperties") is not False:
        yield 'the request model must forbid unknown fields: model_config = ConfigDict(extra="forbid")'
    for field, described in schema.get("properties", {}).items():
        for fault in _faults_of_field(skill, field, described):
            yield f"the request's field {field!a} {fault}"
    if issubclass(skill.result_model, RootModel):
        yield "the result must have fields: a tool's answer is an object"
    elif skill.example is not None and not _is_answer(skill.result_model, skill.example):
        yield "its example of an answer is not written and read back by the result model"
    if skill.request_model.__name__ in {skill.result_model.__name__, *result.get("$defs", {})}:
        yield "request and result need models of different names"
    for example in _examples(skill):
        if not isinstance(example, dict) or find_issues(skill.request_model, example)[1]:
            yield "an example does not fit the request model"


def _faults_of_field(skill: Skill, field: str, described: dict[str, Any]) -> Iterator[str]:
    if field not in skill.request_model.model_fields:
        yield "must have no alias"
    elif not _PLAIN.fullmatch(field):
        yield "must be called by letters without accents, digits and underscores"
    elif not _types(described) <= _FLAT or not described.get("description") or not described.get("examples"):
        yield "must be a text, whole number or boolean, with description and examples"
    else:
        others = next((example for example in _examples(skill) if isinstance(example, dict)), {})
        for example in described["examples"]:
            _, faults = find_issues(skill.request_model, {**others, field: example})
            if any(fault.field == field for fault in faults):
                yield "does not take its example as JSON has it"


def _examples(skill: Skill) -> tuple[Any, ...]:
    """Return its examples of requests, which may be of any type."""
    return tuple(skill.endpoints[0].examples.values()) if skill.endpoints else ()


def _is_answer(result: type[BaseModel], example: Any) -> bool:
    """Whether the example can be read and written by the result model."""
    try:
        found = result.model_validate_json(json.dumps(example, allow_nan=False))
        result.model_validate_json(found.model_dump_json(by_alias=True))
    except (TypeError, ValueError):
        return False
    return True


def _types(described: dict[str, Any]) -> set[str]:
    """Return the JSON types of a field without ``null``; ``"None"`` where it has no type."""
    options = described.get("anyOf", [described])
    return {str(option.get("type")) for option in options} - {"null"}
