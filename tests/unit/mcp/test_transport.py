from __future__ import annotations

import gzip
import json
from decimal import Decimal
from typing import Any

import pytest

from brskills_server.agents.results import ToolResult, success

from .conftest import Answered, Caller, request_of

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", -32700),
        ("{", -32700),
        ('{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', -32700),
        ([PING], -32600),
        ([], -32600),
        ("null", -32600),
        ({"id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, -32600),
        ({**PING, "method": 1}, -32600),
        ({**PING, "params": []}, -32600),
        ({**PING, "params": None}, -32600),
        ({**PING, "id": None}, -32600),
        ({**PING, "id": True}, -32600),
        ({**PING, "id": 1.5}, -32600),
        ({**PING, "id": {}}, -32600),
    ],
)
def test_an_invalid_message_is_refused(caller: Caller, body: Any, code: int) -> None:
    answered = caller.send(body)
    assert answered.error == (400, code)
    assert answered.body["id"] is None
    assert answered.body["error"]["data"]["request_id"] == "abc"


@pytest.mark.parametrize(
    ("body", "headers", "status", "code", "pt", "en"),
    [
        (b"", {}, 400, "malformed_json", "vazio", "empty"),
        ('{"a": "é"}'.encode("latin-1"), {}, 400, "malformed_json", "o byte 8 ", "byte 8 "),
        ("{}".encode("utf-16"), {}, 400, "malformed_json", "UTF-16", "UTF-16"),
        (b"{", {}, 400, "malformed_json", "linha 1, coluna 2", "line 1, column 2"),
        (gzip.compress(b"{}", mtime=0), {}, 415, "unsupported_media_type", "comprimi", "uncom"),
        (b"\x8b", {"Content-Encoding": "br"}, 415, "unsupported_media_type", "br", "br"),
    ],
)
def test_the_error_of_a_body_that_cannot_be_read(
    caller: Caller, body: bytes, headers: dict[str, str], status: int, code: str, pt: str, en: str
) -> None:
    for language, word in (("pt", pt), ("en", en)):
        answered = caller.send(body, {"Accept-Language": language, **headers})
        assert answered.error == (status, -32700)
        assert word in answered.body["error"]["message"]
        assert answered.body["error"]["data"]["problem"]["code"] == code


def test_a_mark_of_byte_order_is_ignored(caller: Caller) -> None:
    assert caller.send(b"\xef\xbb\xbf" + json.dumps(PING).encode()).body["result"] == {}


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("http://localhost:6274", 200),
        ("http://127.0.0.1", 200),
        ("http://[::1]:3000", 200),
        ("https://app.example.com", 200),
        ("https://deployed.example.com", 200),
        ("https://api.example.com", 403),  # what the Host header says proves nothing
        ("https://evil.example.com", 403),
        ("https://localhost.evil.example.com", 403),
        ("null", 403),
        ("", 403),
        ("http://[", 403),
    ],
)
def test_pages_of_other_sites_are_refused(caller: Caller, origin: str | None, status: int) -> None:
    headers = {} if origin is None else {"Origin": origin}
    answered = caller.send(PING, headers, domainName="deployed.example.com")
    assert answered.status == status


def test_a_large_body_and_another_media_type_are_refused(caller: Caller) -> None:
    assert caller.send({**PING, "params": {"x": "y" * 16_384}}).error == (413, -32600)
    assert caller.send(PING, {"Content-Type": "text/plain"}).error == (415, -32600)
    assert caller.send(PING, {"Content-Type": "application/json; charset=utf-8"}).status == 200


def test_there_is_no_stream_and_no_session(caller: Caller) -> None:
    answered = Answered(caller.server.refuse(request_of("")))
    assert (answered.status, answered.headers["Allow"]) == (405, "POST")
    assert answered.error == (405, -32600)


def test_an_unforeseen_error_is_left_to_the_application(caller: Caller) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    caller.run = fail
    with pytest.raises(ZeroDivisionError):
        caller.old("tools/call", {"name": "get_usage"})


def test_numbers_reach_a_tool_as_they_are_written(caller: Caller) -> None:
    seen: dict[str, Any] = {}

    def remember(_name: str, arguments: dict[str, Any], _request: Any) -> ToolResult:
        seen.update(arguments)
        return success({})

    caller.run = remember
    call = {**PING, "method": "tools/call", "params": {"name": "create_pix_code", "arguments": {"valor": 0}}}
    caller.send(json.dumps(call).replace('"valor": 0', '"valor": 0.30000000000000004'))
    assert seen == {"valor": Decimal("0.30000000000000004")}
