"""What the declaration of a custom skill must keep to, so that all that is made of it holds.

Faults are found when the service starts: a document, a tool list or an agent's call would be too late.
"""

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

from pydantic import BaseModel

from skills.catalogue import SKILLS
from skills.custom import CUSTOM, endpoints_of
from skills.skill import Skill, Texts
from skills.validation import find_faults

__all__ = ["MOST_SECONDS", "faults_of"]

MOST_SECONDS = 10
"""The longest that a custom skill may take: a function on AWS ends after 15 s, and counting takes its part."""

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*")
_MOST_NAME = 40
_FLAT = {"string", "integer", "boolean"}
# What would let an answer differ from its result model, which it is held against.
_OURS = ("write", "content", "validator", "forms", "remark", "errors")


def faults_of(name: str, declared: object) -> Iterator[str]:
    """What is wrong with what the entry point ``name`` declares, each in a few words; nothing if it is right."""
    if not isinstance(declared, Skill):
        yield f"is not a skills.skill.Skill but {type(declared).__name__}"
        return
    yield from _faults_of_name(name, declared)
    yield from _faults_of_models(declared)
    yield from _faults_of_texts(declared)
    seconds = declared.seconds
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= MOST_SECONDS:
        yield f"seconds must be over 0 and at most {MOST_SECONDS}"
    for member in fields(Skill):
        if member.name in _OURS and getattr(declared, member.name) != _default(member):
            yield f"must leave {member.name} as it is"


def _faults_of_name(name: str, skill: Skill) -> Iterator[str]:
    if skill.name != name:
        yield f"its entry point must be called {skill.name!a}"
    if not _NAME.fullmatch(name) or len(name) > _MOST_NAME:
        yield f"a name is words in lower case joined by underscores, of at most {_MOST_NAME} characters"
    if name in SKILLS:
        yield "a skill of ours has this name"
    if skill.scope != CUSTOM:
        yield f"scope must be {CUSTOM!a}"
    examples = skill.endpoints[0].examples if skill.endpoints else {}
    if skill.endpoints != endpoints_of(skill.name, examples):
        yield "endpoints must be skills.custom.endpoints_of(name, examples)"
    if not examples:
        yield "at least one example is needed"


def _faults_of_models(skill: Skill) -> Iterator[str]:
    models: dict[str, Any] = {"request": skill.request, "result": skill.result}
    for role, model in models.items():
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            yield f"{role} must be a model of pydantic"
            return
        if not model.__doc__:
            yield f"the {role} model needs a docstring, which the documents show"
    schema, result = skill.request.model_json_schema(), skill.result.model_json_schema(mode="serialization")
    if schema.get("additionalProperties") is not False:
        yield 'the request model must forbid unknown fields: model_config = ConfigDict(extra="forbid")'
    for field, described in schema.get("properties", {}).items():
        if (
            not _types(described) <= _FLAT
            or not described.get("description")
            or not described.get("examples")
        ):
            yield f"the request's field {field!a} must be a text, whole number or boolean, with description and examples"
    if skill.request.__name__ in {skill.result.__name__, *result.get("$defs", {})}:
        yield "request and result need models of different names"
    for example in skill.endpoints[0].examples.values() if skill.endpoints else ():
        if not isinstance(example, dict) or find_faults(skill.request, example)[1]:
            yield "an example does not fit the request model"


def _types(described: dict[str, Any]) -> set[str]:
    """The JSON types of a field, ``null`` aside; one that is none of ours where it has no type."""
    options = described.get("anyOf", [described])
    return {str(option.get("type")) for option in options} - {"null"}


def _faults_of_texts(skill: Skill) -> Iterator[str]:
    missing = [text.name for text in fields(Texts) if not getattr(skill.texts, text.name, "")]
    if missing:
        yield f"texts lack {', '.join(missing)}"
    elif skill.endpoints and not all(
        part in skill.texts.guide for part in ("{key}", f"{{base}}{skill.endpoints[0].path}")
    ):
        yield f"the guide must show a call of {{base}}{skill.endpoints[0].path} with the key {{key}}"


def _default(member: Any) -> Any:
    return member.default if member.default_factory is MISSING else member.default_factory()
