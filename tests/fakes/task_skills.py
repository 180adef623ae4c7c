"""Custom skills as the conformance suite wants its tools for tasks: a module that is laid into a folder."""

import time
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, Field

from brskills_server.skills.custom import CUSTOM, endpoints_of
from brskills_server.skills.errors import ApiError
from brskills_server.skills.skill import Call, Skill, Texts

_MOST_SECONDS = 9


class Greeted(BaseModel, extra="forbid"):
    """Quem se cumprimenta."""

    name: str = Field(description="Um nome.", examples=["Ana"])


class Job(BaseModel, extra="forbid"):
    """Um trabalho."""

    seconds: int = Field(0, description="Segundos.", examples=[1])
    label: str = Field("", description="Um nome.", examples=["a"])


class Reply(BaseModel):
    """O que se responde."""

    texto: str


def _greet(asked: Greeted, _: Call) -> Reply:
    return Reply(texto=f"Hello, {asked.name}!")


def _compute(asked: Job, _: Call) -> Reply:
    time.sleep(min(asked.seconds, _MOST_SECONDS))
    return Reply(texto="done")


def _fail(_: Job, __: Call) -> Reply:
    raise ApiError("sources_unavailable", retry_after=3)


def _panic(_: Job, __: Call) -> Reply:
    raise RuntimeError


def _skill(name: str, request: type[BaseModel], answer: Callable[[Any, Call], Reply], seconds: int) -> Skill:
    guide = f"curl {{base}}/api/v1/skills/custom/{name} -H 'X-API-Key: {{key}}'"
    return Skill(
        name=name,
        scope=CUSTOM,
        texts=Texts("Título", "Faz.", "sempre.", "nunca.", "Nada.", "It does.", guide),
        request=request,
        result=Reply,
        answer=answer,
        endpoints=endpoints_of(name, {"um": {"name": "Ana"} if request is Greeted else {"seconds": 1}}),
        seconds=seconds,
    )


SKILLS = {
    skill.name: skill
    for skill in (
        _skill("greet", Greeted, _greet, 1),
        _skill("slow_compute", Job, _compute, 10),
        _skill("failing_job", Job, _fail, 10),
        _skill("protocol_error_job", Job, _panic, 10),
    )
}
GREET, COMPUTE, FAIL, PANIC = SKILLS.values()
ALL = dict(zip(SKILLS, ("GREET", "COMPUTE", "FAIL", "PANIC"), strict=True))
"""Name of a skill → its place in this module."""
