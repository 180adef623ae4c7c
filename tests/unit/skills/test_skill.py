"""One way to run any skill: check, count, answer; and declarations that are complete."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from brskills_server.accounts.account import Caller
from brskills_server.gateway.template import load
from brskills_server.metering.errors import QuotaExceeded, UncountedLimit
from brskills_server.metering.quota import Quota
from brskills_server.skills.catalogue import BATCHES, SCOPES, SKILLS
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.perform import fingerprint, perform
from brskills_server.skills.skill import Call, Endpoint, Skill, Texts, never
from brskills_server.telemetry.outcome import CallOutcome
from tests.for_each import for_each

QUOTA = Quota("free", "2026-11", 1, 100, 1_795_000_000.0)


class Steps:
    """A session that remembers what was done, in order."""

    def __init__(self, *, spent: bool = False) -> None:
        self.done: list[str] = []
        self.spent = spent
        self.quota: Quota | None = None
        self.plan: str | None = None
        self.replayed = False
        self.claimed = False

    caller = Caller("acc_1", "k")

    @property
    def allowance(self) -> Steps:
        return self

    def check(self, caller: Caller) -> None:
        """There is room."""

    def identify(self, key: str, request: bytes) -> None:
        self.claimed = True

    def reserve(self, calls: int = 1, *, partial: bool = False) -> None:
        assert type(calls) is int  # a store distinguishes True from 1
        self.done.append(
            f"reserve {calls} or less" if partial else f"reserve {calls}" if calls > 1 else "reserve"
        )
        if self.spent:
            raise QuotaExceeded(QUOTA)
        self.quota = QUOTA
        self.plan = QUOTA.plan

    def settle(self) -> None:
        if self.claimed:
            self.done.append("settle")

    def release(self) -> None:
        self.done.append("release")


class Greeting(BaseModel):
    model_config = ConfigDict(extra="forbid")

    nome: str


def declared(**changes: Any) -> Skill:
    members: dict[str, Any] = {
        "name": "greet",
        "scope": "conta",
        "texts": Texts("t", "p", "u", "a", "n", "e", "g"),
        "request": Greeting,
        "result": Greeting,
        "answer": lambda request, call: request,
        "endpoints": (Endpoint("POST", "/greet", "greet"),),
    }
    return Skill(**{**members, **changes})


def run(skill: Skill, session: Steps, content: dict[str, Any] | None = None, present: Any = None) -> Any:
    def answer(prepared: Any, call: Call) -> Any:
        session.done.append("answer")
        return skill.answer(prepared, call)

    call: Any = Call(session, "pt", lambda *_: None, outcome=CallOutcome(skill.part))
    recording = replace(skill, answer=answer)
    return perform(recording, content or {"nome": "Ana"}, call, present or (lambda found: found))


def raising(error: BaseException) -> Any:
    def answer(request: Any, call: Any) -> Any:
        raise error

    return answer


@for_each(
    ("changes", "done"),
    [
        ({}, ["reserve", "answer"]),
        ({"counts": lambda _: True}, ["reserve", "answer"]),
        ({"counts": lambda _: 2, "partial": lambda _: True}, ["reserve 2 or less", "answer"]),
        ({"counts": never}, ["answer"]),
        (
            {"prepare": lambda content: Greeting(**content), "counts": lambda asked: asked.nome != "Ana"},
            ["answer"],
        ),
    ],
)
def test_a_call_is_counted_before_it_is_answered(changes: dict[str, Any], done: list[str]) -> None:
    session = Steps()
    assert run(declared(**changes), session).nome == "Ana"
    assert session.done == done


@for_each(
    ("error", "done"),
    [
        (ApiError("sources_unavailable"), ["reserve", "answer", "release"]),
        (ZeroDivisionError(), ["reserve", "answer", "release"]),
        (KeyboardInterrupt(), ["reserve", "answer", "release"]),
        (ApiError("company_not_found", counts=True), ["reserve", "answer"]),
    ],
)
def test_a_call_without_its_answer_is_released_unless_the_error_counts(
    error: BaseException, done: list[str]
) -> None:
    session = Steps()
    with pytest.raises(type(error)) as raised:
        run(declared(answer=raising(error)), session)
    assert session.done == done
    assert getattr(raised.value, "quota", None) is (QUOTA if "release" not in done else None)


def test_an_answer_that_cannot_be_presented_is_released() -> None:
    session = Steps()
    with pytest.raises(ZeroDivisionError):
        run(declared(), session, present=lambda found: 1 // 0)
    assert session.done == ["reserve", "answer", "release"]


def test_an_invalid_request_and_a_used_up_month_are_not_answered() -> None:
    session, spent = Steps(), Steps(spent=True)
    with pytest.raises(InvalidRequest):
        run(declared(), session, {"nome": 1, "cor": "azul"})
    with pytest.raises(QuotaExceeded):
        run(declared(), spent)
    assert (session.done, spent.done) == ([], ["reserve"])


def test_a_repeated_call_is_settled_before_its_answer_leaves() -> None:
    session = Steps()
    call: Any = Call(session, "pt", lambda *_: None, repeat_key="a-1")
    skill = declared(counts=lambda _: 2, answer=lambda request, call: session.done.append("answer"))
    perform(skill, {"nome": "Ana"}, call, lambda _: session.done.append("present"))
    assert session.done == ["reserve 2", "answer", "present", "settle"]


@for_each("key", ["a 1", "é", "a" * 256, "a\t"])
def test_an_invalid_key_is_an_issue_beside_the_others(key) -> None:
    session = Steps()
    call: Any = Call(session, "pt", lambda *_: None, repeat_key=key)
    with pytest.raises(InvalidRequest) as refused:
        perform(declared(), {"nome": 1}, call, lambda found: found)
    assert [issue.field for issue in refused.value.fields] == ["Idempotency-Key", "nome"]
    with pytest.raises(InvalidRequest):
        perform(declared(), {"nome": "Ana"}, call, lambda found: found)
    assert session.done == []
    free = declared(counts=never, answer=lambda request, call: request)
    assert perform(free, {"nome": "Ana"}, call, lambda found: found)


def test_an_uncounted_call_is_not_answered_beyond_the_allowance() -> None:
    class UsedUp(Steps):
        def check(self, caller: Caller) -> None:
            raise UncountedLimit(7)

    session = UsedUp()
    skill = declared(scope="pix", counts=lambda request: request.nome != "Ana")
    with pytest.raises(UncountedLimit):
        run(skill, session)
    assert session.done == []
    run(skill, session, {"nome": "Bia"})
    assert session.done == ["reserve", "answer"]


@for_each("skill", SKILLS.values())
def test_a_declaration_is_complete(skill: Skill) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", skill.name)
    assert skill.scope in SCOPES
    texts = skill.texts
    assert [name for name in Texts.__slots__ if not getattr(texts, name)] == []
    assert "{key}" in texts.guide
    assert skill.request_model.__doc__
    assert skill.result_model.__doc__
    for endpoint in skill.endpoints:
        assert f"{{base}}{endpoint.path.partition('{')[0].rstrip('/')}" in texts.guide
        for example in endpoint.examples.values():
            assert skill.prepare(example) if skill.prepare else skill.request.model_validate(example)


def test_the_routes_below_skills_are_those_of_the_skills() -> None:
    declared_routes = {
        (at.method, at.path) for skill in (*SKILLS.values(), *BATCHES.values()) for at in skill.endpoints
    }
    served = {(route.method, route.resource) for route in load().routes if route.requires_key}
    assert declared_routes <= served
    # In the template to be a 404, and not a company's address.
    none = {("GET", f"/api/v1/skills/cnpj/{name}") for name in ("lote", "historico")}
    assert {route for route in served if "/skills/" in route[1]} - none <= declared_routes


def test_a_request_nested_too_deeply_for_a_fingerprint_is_malformed_json() -> None:
    junk: list[Any] = []
    for _ in range(100_000):
        junk = [junk]
    with pytest.raises(ApiError) as refused:
        fingerprint("create_pix_codes", {"itens": [{}, junk]})
    assert refused.value.code == "malformed_json"
    assert refused.value.parameters["reason"]
