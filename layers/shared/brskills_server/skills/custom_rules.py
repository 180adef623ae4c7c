"""Rules for the declaration of a custom skill, checked when the service starts."""

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

from brskills_server.skills.catalogue import SKILLS
from brskills_server.skills.custom import CUSTOM, endpoints_of
from brskills_server.skills.custom_models import faults_of_models
from brskills_server.skills.skill import Skill, Texts

MOST_SECONDS = 10
"""Limit for a custom skill's time: a function on AWS ends after 15 s, and counting needs a part of it."""

MOST_BODY_BYTES = 256 * 1024
"""Limit for the body of a custom skill: that of a batch."""

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*")
_MOST_NAME = 40
# With these an answer could differ from its result model.
_FIXED = ("write", "content", "validator", "forms", "remarks", "errors")


def faults_of(name: str, declared: object) -> Iterator[str]:
    """Yield what is wrong with the declaration of the entry point ``name``, each in a few words."""
    if not isinstance(declared, Skill):
        yield f"is not a brskills_server.skills.skill.Skill but {type(declared).__name__}"
        return
    yield from _faults_of_name(name, declared)
    yield from faults_of_models(declared)
    yield from _faults_of_texts(declared)
    yield from _faults_of_members(declared)


def _faults_of_name(name: str, skill: Skill) -> Iterator[str]:
    if skill.name != name:
        yield f"its entry point must be called {skill.name!a}"
    if not _NAME.fullmatch(name) or len(name) > _MOST_NAME:
        yield f"a name is words in lower case joined by underscores, of at most {_MOST_NAME} characters"
    if name in SKILLS:
        yield "a skill of the service has this name"
    if skill.scope != CUSTOM:
        yield f"scope must be {CUSTOM!a}"
    examples = skill.endpoints[0].examples if skill.endpoints else {}
    if skill.endpoints != endpoints_of(skill.name, examples):
        yield "endpoints must be brskills_server.skills.custom.endpoints_of(name, examples)"
    if not examples:
        yield "at least one example is needed"


def _faults_of_texts(skill: Skill) -> Iterator[str]:
    texts = {text.name: getattr(skill.texts, text.name, "") for text in fields(Texts)}
    missing = [name for name, text in texts.items() if not text or not isinstance(text, str)]
    if missing:
        yield f"texts lack {', '.join(missing)}"
    elif skill.endpoints and not all(
        part in skill.texts.guide for part in ("{key}", f"{{base}}{skill.endpoints[0].path}")
    ):
        yield f"the guide must show a call of {{base}}{skill.endpoints[0].path} with the key {{key}}"


def _faults_of_members(skill: Skill) -> Iterator[str]:
    seconds = skill.seconds
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= MOST_SECONDS:
        yield f"seconds must be over 0 and at most {MOST_SECONDS}"
    if type(skill.body_bytes) is not int or not 0 < skill.body_bytes <= MOST_BODY_BYTES:
        yield f"body_bytes must be over 0 and at most {MOST_BODY_BYTES}"
    for name in ("answer", "prepare", "counts"):
        part = getattr(skill, name)
        if not callable(part) and not (name == "prepare" and part is None):
            yield f"{name} must be a function"
    if skill.uses_external_data not in (True, False):
        yield "uses_external_data must be true or false"
    for member in fields(Skill):
        if member.name in _FIXED and getattr(skill, member.name) != _default(member):
            yield f"must leave {member.name} as it is"


def _default(member: Any) -> Any:
    return member.default if member.default_factory is MISSING else member.default_factory()
