"""Checks that need no key. Each raises ``CheckFailed`` unless the service answers as documented."""

from collections.abc import Callable
from functools import partial
from typing import Any

from deployment.smoke.expectations import expect, require
from deployment.smoke.service import Reply, Service

_MCP_VERSION = "2025-11-25"
_TOOLS = {"create_pix_code", "decode_pix_code", "look_up_company"}


def health(service: Service) -> None:
    """Expect that the service could count a call."""
    reply = expect(service.call("GET", "/api/v1/health"), 200)
    require(reply, reply.body == {"status": "ok"}, "status ok")


def open_checks(service: Service) -> dict[str, Callable[[], None]]:
    """Return each check by its title."""
    checks = {
        "the status is published": status,
        "the page is served": page,
        "a request without a key is refused": key_required,
        "the MCP server introduces itself": mcp_server,
        "the MCP server lists its tools": mcp_tools,
    }
    return {title: partial(check, service) for title, check in checks.items()}


def status(service: Service) -> None:
    """Expect a published status other than ``down``."""
    reply = expect(service.call("GET", "/api/v1/status"), 200)
    require(reply, reply.body.get("status") in ("operational", "degraded"), "status operational or degraded")


def page(service: Service) -> None:
    """Expect the page for people."""
    reply = expect(service.call("GET", "/"), 200)
    require(reply, reply.media_type == "text/html" and b"brskills" in reply.content, "the page in HTML")


def key_required(service: Service) -> None:
    """Expect that a request without a key is refused."""
    expect(service.call("GET", "/api/v1/usage"), 401, "missing_api_key")


def mcp_server(service: Service) -> None:
    """Expect an MCP server that introduces itself."""
    client = {"name": "brskills-smoke", "version": "1"}
    reply, result = _rpc(
        service, "initialize", protocolVersion=_MCP_VERSION, capabilities={}, clientInfo=client
    )
    require(reply, "serverInfo" in result, "serverInfo")


def mcp_tools(service: Service) -> None:
    """Expect the tools of both skills."""
    reply, result = _rpc(service, "tools/list")
    tools = result.get("tools")
    names = (
        {tool.get("name") for tool in tools if isinstance(tool, dict)} if isinstance(tools, list) else set()
    )
    require(reply, names >= _TOOLS, f"the tools {', '.join(sorted(_TOOLS))}")


def _rpc(service: Service, method: str, **params: object) -> tuple[Reply, dict[str, Any]]:
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": _MCP_VERSION}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    reply = expect(service.call("POST", "/mcp", body, headers), 200)
    result = reply.body.get("result")
    return reply, result if isinstance(result, dict) else {}
