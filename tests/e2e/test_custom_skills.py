"""A custom skill: visible and usable for accounts of its plan alone."""

import httpx
import pytest

from tests.e2e.conftest import DEMO, calls, problem, rpc, use_tool

ROUTE = "/api/v1/skills/custom/look_up_bank"
BANK = {"compe": "341", "ispb": "60701190", "nome": "Itaú Unibanco S.A."}


@pytest.fixture
def with_example() -> None:
    """The example of a custom skill is installed, and the plan ``free`` may use it."""


def test_it_is_answered_and_counted_over_http_and_as_a_tool(with_example: None, fresh: httpx.Client) -> None:
    assert fresh.post(ROUTE, json={"codigo": "341"}).json() == BANK
    called = use_tool(fresh, "look_up_bank", {"codigo": "60701190"})
    assert called["structuredContent"] == BANK
    refused = problem(fresh.post(ROUTE, json={"codigo": "999"}), 422, "invalid_fields")
    assert refused["errors"][0]["code"] == "unknown_bank"
    assert calls(fresh) == 2


def test_its_owners_see_it_and_no_other_caller(
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
        problem(http.post(ROUTE, json={"codigo": "341"}, headers=headers), 404, "not_found")
    assert http.options(ROUTE).status_code == 200
