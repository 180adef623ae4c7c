"""What agents and people reach without a key: MCP, documents, the page; and billing unconfigured."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.e2e.conftest import calls

ACCEPT = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


def rpc(client: httpx.Client, method: str, parameters: dict[str, Any], **headers: str) -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
    answer = client.post("/mcp", json=body, headers={**ACCEPT, **headers})
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()["result"]
    return result


def test_tools_are_listed_without_a_key_and_called_with_one(http: httpx.Client, api_key: str) -> None:
    tools = {tool["name"] for tool in rpc(http, "tools/list", {})["tools"]}
    assert {"create_pix_code", "decode_pix_code", "look_up_company", "get_usage"} <= tools
    call = {"name": "look_up_company", "arguments": {"cnpj": "SANDBOX1000170"}}
    refused = rpc(http, "tools/call", call)
    assert refused["isError"]
    assert "X-API-Key" in refused["content"][0]["text"]
    found = rpc(http, "tools/call", call, **{"X-API-Key": api_key})
    assert found["structuredContent"]["cnpj"] == "SANDBOX1000170"
    bearer = rpc(http, "tools/call", call, Authorization=f"Bearer {api_key}")
    assert bearer["structuredContent"]["cnpj"] == "SANDBOX1000170"


def test_a_code_by_mcp_is_the_code_by_http_and_counts_alike(api: httpx.Client, api_key: str) -> None:
    charge = {"chave": "pix@exemplo.com.br", "valor": 10.1, "nome_recebedor": "Loja", "cidade": "Recife"}
    before = calls(api)
    by_mcp = rpc(
        api, "tools/call", {"name": "create_pix_code", "arguments": charge}, **{"X-API-Key": api_key}
    )
    by_http = api.post("/api/v1/skills/pix", json=charge).json()
    assert by_mcp["structuredContent"]["brcode"] == by_http["brcode"]
    assert calls(api) == before + 2


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_mcp_has_no_sessions_to_open_or_close(http: httpx.Client, method: str) -> None:
    assert http.request(method, "/mcp").status_code == 405


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        ("/", "text/html"),
        ("/en", "text/html"),
        ("/reference", "text/html"),
        ("/guides", "text/html"),
        ("/guides/brcode?lang=en", "text/html"),
        ("/llms.txt", "text/plain"),
        ("/SKILL.md", "text/markdown"),
        ("/server.json", "application/json"),
        ("/mcp/server-card", "application/mcp-server-card+json"),
        ("/.well-known/ai-catalog.json", "application/ai-catalog+json"),
        ("/api/v1/openapi.json", "application/json"),
        ("/api/v1/tools?format=openai", "application/json"),
        ("/api/v1/tools?format=anthropic", "application/json"),
        ("/api/v1/tools?format=gemini", "application/json"),
        ("/api/v1/tools?format=mcp", "application/json"),
    ],
)
def test_documents_are_open(http: httpx.Client, path: str, media_type: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].split(";")[0] == media_type
    assert answer.headers["x-request-id"]
    assert len(answer.content) > 100


def test_without_a_processor_billing_says_so_and_the_demo_key_may_not_try(
    http: httpx.Client, api: httpx.Client
) -> None:
    for route in ("checkout", "portal"):
        answer = api.post(f"/api/v1/billing/{route}")
        assert (answer.status_code, answer.json()["code"]) == (503, "billing_unavailable")
        assert int(answer.headers["retry-after"]) >= 1
        demo = http.post(
            f"/api/v1/billing/{route}", headers={"X-API-Key": "brsk_demo00000000000000000000000000001gbZMd"}
        )
        assert (demo.status_code, demo.json()["code"]) == (403, "demo_key")
    assert http.post("/api/v1/billing/webhook", json={}).status_code == 503
