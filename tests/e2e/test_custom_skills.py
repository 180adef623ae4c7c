"""A custom skill, for accounts of the plan that has it, and for nobody else."""

from __future__ import annotations

import httpx
import pytest

from tests.e2e.conftest import calls
from tests.e2e.test_agents import rpc

ROUTE = "/api/v1/skills/custom/look_up_bank"
BANK = {"compe": "341", "ispb": "60701190", "nome": "Itaú Unibanco S.A."}
DEMO = {"X-API-Key": "brsk_demo00000000000000000000000000001gbZMd"}


@pytest.fixture
def with_example() -> None:
    """The example of a custom skill is installed, and the plan ``free`` may use it."""


def test_it_is_answered_and_counted_over_http_and_as_a_tool(with_example: None, fresh: httpx.Client) -> None:
    assert fresh.post(ROUTE, json={"codigo": "341"}).json() == BANK
    called = rpc(fresh, "tools/call", {"name": "look_up_bank", "arguments": {"codigo": "60701190"}})
    assert called["structuredContent"] == BANK
    refused = fresh.post(ROUTE, json={"codigo": "999"})
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "unknown_bank")
    assert calls(fresh) == 2


def test_its_owners_see_it_and_nobody_else(
    with_example: None, http: httpx.Client, fresh: httpx.Client
) -> None:
    for client, headers, seen in ((fresh, {}, True), (http, {}, False), (http, DEMO, False)):
        tools = {tool["name"] for tool in rpc(client, "tools/list", {}, **headers)["tools"]}
        assert ("look_up_bank" in tools) == seen
        for path in ("/api/v1/tools", "/api/v1/openapi.json", "/llms.txt"):
            listed = client.get(path, headers=headers)
            assert listed.status_code == 200
            assert ("look_up_bank" in listed.text) == seen, path


def test_to_others_there_is_no_such_route(with_example: None, http: httpx.Client) -> None:
    for headers in ({}, DEMO):
        answer = http.post(ROUTE, json={"codigo": "341"}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert http.options(ROUTE).status_code == 200
