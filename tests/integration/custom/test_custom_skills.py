"""A custom skill is listed, answered and counted for accounts that may use it, and unknown to all others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from brskills_server.skills.catalogue import TOOL_BATCHES, offered_skills
from brskills_server.skills.tool_formats import FORMATS
from tests.fakes import odd_skills
from tests.services.gateway import ROOT

from .conftest import Customer, Installation

OFFERED = {skill.name for skill in offered_skills(with_copy=False)}

BANK = {"compe": "341", "ispb": "60701190", "nome": "Itaú Unibanco S.A."}
ASKED = {"codigo": "341"}
DEMO = "brsk_demo00000000000000000000000000001gbZMd"


def without_number(answer: httpx.Response) -> dict[str, Any]:
    return {name: value for name, value in answer.json().items() if name != "request_id"}


def test_a_granted_account_is_answered_and_counted(granted: Customer) -> None:
    before = granted.calls()
    answer = granted.use("look_up_bank", ASKED)
    assert (answer.status_code, answer.json()) == (200, BANK)
    assert answer.headers["cache-control"] == "no-store"
    assert granted.calls() == before + 1
    assert int(answer.headers["x-ratelimit-remaining"]) == 100 - before - 1


@pytest.mark.parametrize("language", ["pt", "en"])
def test_a_refusal_has_the_texts_of_the_skill_and_is_not_counted(granted: Customer, language: str) -> None:
    before = granted.calls()
    route, wanted = "/api/v1/skills/custom/look_up_bank", {"Accept-Language": language}
    answer = granted.ask("POST", route, json={"codigo": "999"}, headers=wanted)
    (error,) = answer.json()["errors"]
    assert (answer.status_code, answer.json()["code"], error["code"]) == (
        422,
        "invalid_fields",
        "unknown_bank",
    )
    assert ("No bank" in error["detail"]) == (language == "en")
    for content, code in (({}, "required"), ({**ASKED, "cor": 1}, "unknown_field"), ([], "invalid_type")):
        refused = granted.use("look_up_bank", content)
        assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, code)
    malformed = granted.ask("POST", "/api/v1/skills/custom/look_up_bank", content=b"{")
    assert malformed.status_code == 400
    assert granted.calls() == before


def test_for_others_the_route_does_not_exist(
    other: Customer, anybody: Customer, installation: Installation
) -> None:
    demo = Customer(installation.http, X_API_Key=DEMO)
    for customer in (other, anybody, demo):
        for content in (ASKED, {}, "x" * 20_000):
            hidden, missing = customer.use("look_up_bank", content), customer.use("no_such_skill", content)
            assert (hidden.status_code, hidden.json()["code"]) == (404, "not_found")
            assert without_number(hidden) == without_number(missing)
            assert hidden.headers.keys() == missing.headers.keys()
    for method in ("GET", "PUT", "DELETE"):
        found = anybody.ask(method, "/api/v1/skills/custom/look_up_bank")
        assert (found.status_code, found.json()["code"]) == (404, "not_found")
    assert other.calls() == 0


def test_a_key_that_is_not_active_is_refused_whatever_it_asks_for(installation: Installation) -> None:
    gone = installation.account("free", "look_up_bank")
    assert gone.use("look_up_bank", ASKED).status_code == 200
    installation.accounts.revoke_all(gone.account)
    for skill in ("look_up_bank", "no_such_skill"):
        refused = gone.use(skill, ASKED)
        assert (refused.status_code, refused.json()["code"]) == (401, "invalid_api_key")
    called = gone.rpc("tools/call", name="look_up_bank", arguments=ASKED)
    assert called["result"]["structuredContent"]["code"] == "invalid_api_key"
    assert gone.tools() == OFFERED | TOOL_BATCHES.keys()


def test_a_preflight_is_alike_for_every_name(anybody: Customer) -> None:
    there, missing = (
        anybody.ask("OPTIONS", f"/api/v1/skills/custom/{name}") for name in ("look_up_bank", "no_such_skill")
    )
    assert (there.status_code, missing.status_code) == (200, 200)
    allowed = "access-control-allow-methods"
    assert there.headers[allowed] == missing.headers[allowed]


def test_a_grant_and_its_end_hold_at_once(installation: Installation) -> None:
    customer = installation.account("enterprise")
    assert customer.use("look_up_bank", ASKED).status_code == 404
    installation.accounts.grant(customer.account, "look_up_bank")
    assert customer.use("look_up_bank", ASKED).status_code == 200
    installation.accounts.withdraw(customer.account, "look_up_bank")
    assert customer.use("look_up_bank", ASKED).status_code == 404
    assert customer.calls() == 1


def test_a_plan_may_have_a_skill_and_loses_it_with_the_plan(installation: Installation) -> None:
    customer = installation.account("pro")
    assert customer.use("odd_free", {"texto": "oi"}).json() == {"texto": "oi"}
    installation.accounts.set_plan(customer.account, "free")
    assert customer.use("odd_free", {"texto": "oi"}).status_code == 404
    assert customer.calls() == 0  # the skill is free


def test_a_used_up_month_ends_exactly(installation: Installation) -> None:
    customer = installation.account("free", "look_up_bank")
    installation.accounts.set_limit(customer.account, 20)
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: customer.use("look_up_bank", ASKED), range(60)))
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(200) == 20
    # More may not run at once in a process than there are places; what is turned away costs nothing.
    assert {answer.json()["code"] for answer in answers if answer.status_code == 429} <= {
        "quota_exceeded",
        "throttled",
    }
    assert customer.calls() == 20


def test_lists_show_it_to_accounts_that_may_use_it(installation: Installation, granted: Customer) -> None:
    bearer = Customer(installation.http, Authorization=f"Bearer {granted.headers['X-API-Key']}")
    for customer, form in [*((granted, form) for form in FORMATS), (bearer, FORMATS[0])]:
        listed = customer.ask("GET", "/api/v1/tools", params={"format": form})
        assert set(listed.json()["routes"]) == {*OFFERED, "look_up_bank"}
        assert "look_up_bank" in json.dumps(listed.json()["tools"])
        assert listed.headers["cache-control"] == "private, no-store"
    route = listed.json()["routes"]["look_up_bank"]
    assert bearer.ask(route["method"], route["url"], json=ASKED).json() == BANK
    document = granted.ask("GET", "/api/v1/openapi.json").json()
    OpenAPIV31SpecValidator(document).validate()
    operation = document["paths"]["/api/v1/skills/custom/look_up_bank"]["post"]
    assert (operation["operationId"], operation["tags"]) == ("customLookUpBank", ["Sob medida"])
    assert document["tags"][-1]["name"] == "Sob medida"
    assert {"200", "401", "404", "422", "429", "503"} <= operation["responses"].keys()
    english = granted.ask("GET", "/api/v1/openapi.json", headers={"Accept-Language": "en"})
    assert english.headers["cache-control"] == "private, no-store"
    assert english.json()["tags"][-1]["name"] == "Custom"
    shown = english.json()["paths"]["/api/v1/skills/custom/look_up_bank"]["post"]
    assert shown["summary"] == operation["summary"], "the texts of its declaration are not translated"
    for text in ("/llms.txt", "/SKILL.md"):
        guide = granted.ask("GET", text)
        assert f"{installation.http.base_url}/api/v1/skills/custom/look_up_bank" in guide.text
        assert guide.headers["cache-control"] == "private, no-store"
    assert "look_up_bank" in granted.tools()


def test_lists_of_others_omit_it(other: Customer, anybody: Customer) -> None:
    for customer, caching in ((other, "private, no-store"), (anybody, "public, max-age=300")):
        for path in ("/api/v1/tools", "/api/v1/openapi.json", "/llms.txt", "/SKILL.md"):
            answer = customer.ask("GET", path)
            assert answer.status_code == 200
            assert not [word for word in ("look_up_bank", "custom", "Sob medida") if word in answer.text]
            assert "X-API-Key" in answer.headers["vary"]
            assert answer.headers["cache-control"] == caching  # else a grant would not show at once
        assert customer.tools() == OFFERED | TOOL_BATCHES.keys()


def test_it_is_a_tool_of_a_granted_account(granted: Customer, other: Customer, anybody: Customer) -> None:
    before = granted.calls()
    called = granted.rpc("tools/call", name="look_up_bank", arguments=ASKED)["result"]
    assert called["structuredContent"] == BANK
    assert json.loads(called["content"][0]["text"]) == BANK
    assert granted.calls() == before + 1
    refused = granted.rpc("tools/call", name="look_up_bank", arguments={"codigo": "999"})["result"]
    assert refused["isError"]
    assert refused["structuredContent"]["errors"][0]["code"] == "unknown_bank"
    assert granted.calls() == before + 1
    for customer in (other, anybody):
        hidden = customer.rpc("tools/call", name="look_up_bank", arguments=ASKED)["error"]
        missing = customer.rpc("tools/call", name="no_such_skill", arguments=ASKED)["error"]
        assert (hidden["code"], hidden["message"]) == (missing["code"], missing["message"])
        assert "look_up_bank" not in hidden["message"]


@pytest.fixture(scope="module")
def unlucky(installation: Installation) -> Customer:
    """An account that may use every skill that misbehaves."""
    return installation.account("free", *odd_skills.ALL)


@pytest.mark.parametrize("skill", ["odd_crash", "odd_exit", "odd_unsendable"])
def test_a_failing_skill_is_an_internal_error_that_costs_nothing(
    unlucky: Customer, installation: Installation, skill: str
) -> None:
    before, printed = unlucky.calls(), len(installation.output.read_text())
    answer = unlucky.use(skill, {"texto": "segredo"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert answer.headers["content-type"] == "application/problem+json"
    by_mcp = unlucky.rpc("tools/call", name=skill, arguments={"texto": "segredo"})
    assert (by_mcp["status"], by_mcp["code"]) == (500, "internal_error")
    assert unlucky.calls() == before
    said = installation.output.read_text()[printed:]
    assert f'"reason":"{skill}: ' in said
    assert "segredo" not in said
    assert "not to be printed" not in said
    assert unlucky.use("odd_echo", {"texto": "oi"}).json() == {"texto": "oi"}  # the process continues


@pytest.mark.parametrize(
    ("skill", "place"), [("odd_thread", "work"), ("odd_left", "steps"), ("odd_logger", None)]
)
def test_an_uncaught_error_is_logged_without_its_message(
    unlucky: Customer, installation: Installation, skill: str, place: str | None
) -> None:
    printed = len(installation.output.read_text())
    assert unlucky.use(skill, {"texto": "segredo"}).json() == {"texto": "done"}
    said = installation.output.read_text()[printed:]
    assert "segredo" not in said
    assert ("stray error ValueError at " in said and f" {place}\n" in said) == bool(place)


@pytest.mark.parametrize(("skill", "seconds"), [("odd_late", 5), ("odd_preparing", 5), ("odd_source", 7)])
def test_a_late_skill_or_source_is_unavailable_and_costs_nothing(
    unlucky: Customer, skill: str, seconds: int
) -> None:
    before = unlucky.calls()
    answer = unlucky.use(skill, {"texto": "oi"})
    assert (answer.status_code, answer.json()["code"]) == (503, "sources_unavailable")
    assert answer.headers["retry-after"] == str(seconds)
    assert ("limite" in answer.json()["detail"]) == (skill != "odd_source")
    called = unlucky.rpc("tools/call", name=skill, arguments={"texto": "oi"})["result"]
    assert called["structuredContent"]["code"] == "sources_unavailable"
    assert called["structuredContent"]["retry_after"] == seconds
    assert unlucky.calls() == before


def test_the_operator_sees_skills_and_accounts(installation: Installation) -> None:
    customer = installation.account("enterprise", "look_up_bank", "not_there")
    command = [sys.executable, "-m", "brskills_server.admin", "skills"]
    environment = {**os.environ, **installation.environment}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    rows = {line.split()[0]: line for line in ran.stdout.splitlines()}
    assert "bank-codes 1.0.0" in rows["look_up_bank"]
    assert customer.account in rows["look_up_bank"]
    assert "enterprise, pro" in rows["odd_free"]
    assert "(not installed here)" in rows["not_there"]
