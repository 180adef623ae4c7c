"""What agents and people reach without a key: MCP, documents, pages; and billing without a processor."""

import httpx
import pytest

from tests.e2e.conftest import CHARGE, DEMO, PIX, counting, problem, rpc, use_tool


def test_tools_are_listed_without_a_key_and_called_with_one(http: httpx.Client, api_key: str) -> None:
    tools = {tool["name"] for tool in rpc(http, "tools/list", {})["tools"]}
    assert {"create_pix_code", "decode_pix_code", "look_up_company", "get_usage"} <= tools
    company = {"cnpj": "SANDBOX1000170"}
    refused = use_tool(http, "look_up_company", company)
    assert refused["isError"]
    assert "X-API-Key" in refused["content"][0]["text"]
    for headers in ({"X-API-Key": api_key}, {"Authorization": f"Bearer {api_key}"}):
        found = use_tool(http, "look_up_company", company, **headers)
        assert found["structuredContent"]["cnpj"] == "SANDBOX1000170"


def test_a_code_by_mcp_is_the_code_by_http_and_counts_alike(api: httpx.Client) -> None:
    with counting(api, 2):
        by_mcp = use_tool(api, "create_pix_code", CHARGE)
        by_http = api.post(PIX, json=CHARGE).json()
    assert by_mcp["structuredContent"]["brcode"] == by_http["brcode"]


def test_ten_companies_are_one_call_of_a_tool_and_eleven_are_refused(api: httpx.Client) -> None:
    two = ["SANDBOX1000170", "SANDBOX2000114"]
    found = use_tool(api, "look_up_companies", {"cnpjs": two * 5})["structuredContent"]
    assert [item["resposta"]["cnpj"] for item in found["resultados"]] == two * 5
    refused = use_tool(api, "look_up_companies", {"cnpjs": [*two * 5, two[0]]})["structuredContent"]
    (issue,) = refused["errors"]
    assert (issue["campo"], issue["code"]) == ("cnpjs", "invalid_length")
    assert "1…10" in issue["detail"]


def test_mcp_has_no_streams_to_open_or_sessions_to_close(http: httpx.Client) -> None:
    assert {http.request(method, "/mcp").status_code for method in ("GET", "DELETE")} == {405}


def test_a_host_that_states_cards_once_is_shown_them(http: httpx.Client) -> None:
    stated = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {"extensions": stated}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    greeted = http.post("/mcp", json=message)
    assert "Mcp-Session-Id" in greeted.headers["access-control-expose-headers"].split(", ")
    session = {"Mcp-Session-Id": greeted.headers["mcp-session-id"]}
    tools = rpc(http, "tools/list", {}, **session)["tools"]
    marks = {tool["name"]: tool["_meta"]["ui"]["resourceUri"] for tool in tools if "ui" in tool["_meta"]}
    assert set(marks) == {"create_pix_code", "check_pix_payee", "look_up_company"}
    for uri in marks.values():
        (card,) = rpc(http, "resources/read", {"uri": uri}, **session)["contents"]
        assert card["text"].startswith("<!doctype html>")
    assert rpc(http, "tools/list", {})["tools"] != tools
    assert http.delete("/mcp", headers=session).status_code == 405


@pytest.mark.parametrize(
    ("media_type", "paths"),
    [
        ("text/html", ["/", "/en", "/reference", "/docs", "/en/docs/pix", "/pricing", "/status"]),
        ("text/plain", ["/llms.txt"]),
        ("text/markdown", ["/SKILL.md"]),
        ("application/json", ["/server.json", "/api/v1/openapi.json", "/api/v1/tools?format=gemini"]),
        ("application/mcp-server-card+json", ["/mcp/server-card"]),
        ("application/ai-catalog+json", ["/.well-known/ai-catalog.json"]),
    ],
)
def test_documents_are_open(http: httpx.Client, media_type: str, paths: list[str]) -> None:
    for path in paths:
        answer = http.get(path)
        assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, media_type)
        assert answer.headers["x-request-id"]
        assert len(answer.content) > 100


def test_without_a_processor_billing_is_unavailable_and_refused_to_the_demo_key(
    http: httpx.Client, api: httpx.Client
) -> None:
    for route in ("checkout", "portal"):
        answer = api.post(f"/api/v1/billing/{route}")
        problem(answer, 503, "billing_unavailable")
        assert "retry-after" not in answer.headers  # nothing is sold here, and waiting does not change it
        problem(http.post(f"/api/v1/billing/{route}", headers=DEMO), 403, "demo_key")
    assert http.post("/api/v1/billing/webhook", json={}).status_code == 503
