"""``python -m tests.unit.mcp.recording``: record what clients without extensions are answered.

Record again only for an intended change, and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from brskills_server.agents.results import DATA_MARK, ToolResult, success
from brskills_server.runtime.settings import VERSION
from brskills_server.skills.errors import ApiError
from brskills_server.web.mcp_versions import HANDSHAKE_VERSIONS

from .conftest import META, NEW, Caller, request_of

FILE = Path(__file__).parents[2] / "data" / "mcp" / "answers.json"
KEY = {"X-API-Key": "brsk_x"}
ENVELOPE = {"MCP-Protocol-Version": NEW}
STRANGER = {"name": "host", "version": "1"}
DATA = {"razao_social": "AÇÚCAR & CIA", "cnpj": "33000167000101"}
CAPABILITIES = '"capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}}'

Message = tuple[str, dict[str, Any]]
SHARED: tuple[Message, ...] = (
    ("tools/list", {}),
    ("tools/list", {"cursor": "2"}),
    ("tools/call", {"name": "look_up_company", "arguments": {"cnpj": "33000167000101"}}),
    ("tools/call", {"name": "create_pix_code"}),
    ("tools/call", {"name": "get_usage"}),
    ("tools/call", {"name": "unknown"}),
    ("tools/call", {"name": "get_usage", "arguments": []}),
    ("logging/setLevel", {"level": "info"}),
)
OF_HANDSHAKES: tuple[Message, ...] = (("ping", {}), ("server/discover", {}))
OF_ENVELOPES: tuple[Message, ...] = (
    ("server/discover", {}),
    ("ping", {}),
    ("initialize", {}),
    ("skills/list", {}),
    ("skills/get", {"uri": "skill://unknown/SKILL.md"}),
)


def answers() -> dict[str, Any]:
    """Return each answer as it is sent, by message and by the era and headers of its client.

    The list of tools, which several answers have, is recorded once, and is ``{tools}`` in them.
    Its schemas of answers are texts. The server's capabilities are ``{capabilities}``: no client can
    state that it knows those of the base protocol.
    """
    found = {f"handshake: {_title(method, params)}": _old(method, params) for method, params in _handshakes()}
    found |= {f"handshake with a key: {method}": _old(method, {}, KEY) for method in ("tools/list", "ping")}
    for method, params in (*OF_ENVELOPES, *SHARED):
        found[f"envelope: {_title(method, params)}"] = _new(method, params)
    found["envelope with a key: tools/list"] = _new("tools/list", {}, KEY)
    tools = json.dumps(
        json.loads(found["handshake: tools/list {}"]["body"])["result"]["tools"],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    for answer in found.values():
        body = answer["body"].replace(tools, "{tools}").replace(VERSION, "{version}")
        answer["body"] = body.replace(CAPABILITIES, "{capabilities}")
    listed = [{**tool, "outputSchema": json.dumps(tool["outputSchema"])} for tool in json.loads(tools)]
    return {"tools": listed, **found}


def _handshakes() -> tuple[Message, ...]:
    hello = {"capabilities": {"roots": {"listChanged": True}}, "clientInfo": STRANGER}
    greetings = [("initialize", {"protocolVersion": version, **hello}) for version in HANDSHAKE_VERSIONS]
    return (*greetings, *OF_HANDSHAKES, *SHARED)


def _old(method: str, params: dict[str, Any], headers: dict[str, str] | None = None) -> dict[str, Any]:
    return _sent({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}, headers or {})


def _new(method: str, params: dict[str, Any], headers: dict[str, str] | None = None) -> dict[str, Any]:
    named = {"Mcp-Name": params["name"]} if "name" in params else {}
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {"_meta": META, **params}}
    return _sent(message, {**ENVELOPE, "Mcp-Method": method, **named, **(headers or {})})


def _sent(message: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
    caller = Caller()
    caller.run = _run
    response = caller.server.post(request_of(message, headers))
    return {"status": response.status, "headers": dict(response.headers), "body": response.body}


def _run(skill: Any, _arguments: Any, request: Any) -> ToolResult:
    match skill.name:
        case "look_up_company":
            return success(DATA, {"X-RateLimit-Limit": "100"}, mark=DATA_MARK[request.language])
        case "create_pix_code":
            return success({"brcode": "000201"}, png=b"\x89PNG")
    raise ApiError("missing_api_key")


def _title(method: str, params: dict[str, Any]) -> str:
    return f"{method} {json.dumps({name: params[name] for name in params if name != 'capabilities'})}"


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(answers(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
