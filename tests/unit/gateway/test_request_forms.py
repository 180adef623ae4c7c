"""Forms of requests that proxies may read in another way, and what the parser would do with them itself."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from uvicorn.server import ServerState

from .server import CHUNKED, PLANS, Open, closed, code, on_server, until_the_end

POST = b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\n"
NEXT = b"GET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HOSTS = b"a/b@c", b"a b", b'"><script>', b"x:y", b"x:1:2", b"[::1", b"\xe9", b"x?y"


def statuses(answers: bytes) -> list[bytes]:
    return re.findall(rb"HTTP/1\.1 (\d+)", answers)


@pytest.mark.parametrize(
    "head",
    [
        POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
        POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
        POST + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
        POST + b"Content-Length: 5, 5\r\n\r\n",
        POST + b"Content-Length: +5\r\n\r\n",
        POST + b"Content-Length: -5\r\n\r\n",
        POST + b"Content-Length: 0x5\r\n\r\n",
        POST + b"Content-Length: 5_0\r\n\r\n",
        POST + b"Content-Length:\r\n\r\n",
        POST + b"Content-Length: 18446744073709551621\r\n\r\n",
        POST + b"Content-Length : 5\r\n\r\n",
        POST + b"Transfer-Encoding : chunked\r\n\r\n",
        POST + b"Transfer-Encoding:\x0bchunked\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        POST + b"Transfer-Encoding: chunked, identity\r\n\r\n",
        POST + b" Content-Length: 5\r\n\r\n",
        POST + b"X: a\r\n Content-Length: 5\r\n\r\n",
        POST + b"X: a\rContent-Length: 5\r\n\r\n",
        POST + b"X: a\nContent-Length: 5\r\n\r\n",
        POST + b"Host: y\r\n\r\n",
        *(POST.replace(b"Host: x", b"Host: " + host) + b"\r\n" for host in HOSTS),
        POST.replace(b"1.1", b"1.0") + b"Transfer-Encoding: chunked\r\n\r\n",
        POST.replace(b"\r", b"") + b"\n",
        b"GET /api/v1/plans\r\n\r\n",
        b"GET /api/v1/plans HTTP/0.9\r\n\r\n",
        b"GET /api/v1/plans HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET /api/v1/plans HTTP/2.0\r\nHost: x\r\n\r\n",
        b"GET /api/v1/plans HTTP/1.1 \r\nHost: x\r\n\r\n",
        b"GET http://other/api/v1/plans HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/v1/plans#/../keys HTTP/1.1\r\nHost: x\r\n\r\n",
        b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"PRI * HTTP/2.0\r\nHost: x\r\n\r\n",
    ],
)
@on_server
async def test_an_ambiguous_head_is_refused_and_ends_the_connection(connect: Open, head: bytes) -> None:
    reader, writer = await connect()
    writer.write(head + b"0\r\n\r\n" + NEXT)
    answer = await until_the_end(reader)
    assert statuses(answer) == [b"400"]
    assert code(answer) == (b"400", "malformed_request")


@pytest.mark.parametrize("encoding", [b"gzip", b"gzip, chunked", b"xchunked", b"identity", b"chunked;q=1"])
@on_server
async def test_other_encodings_than_chunked_are_refused(connect: Open, encoding: bytes) -> None:
    reader, writer = await connect()
    writer.write(POST + b"Transfer-Encoding: " + encoding + b"\r\n\r\n0\r\n\r\n" + NEXT)
    answer = await until_the_end(reader)
    assert statuses(answer) == [b"501"]
    assert code(answer) == (b"501", "unsupported_transfer_encoding")


@pytest.mark.parametrize(
    "body",
    [
        *(b"5\nhello\r\n0\r\n\r\n", b"5\r\nhello0\r\n\r\n", b"5 \r\nhello\r\n0\r\n\r\n"),
        *(b"0x5\r\nhello\r\n0\r\n\r\n", b"-5\r\nhello\r\n0\r\n\r\n", b"5;a\nb\r\nhello\r\n0\r\n\r\n"),
        *(b"fffffffffffffffff\r\nhello\r\n", b"5;a\rb\r\nhello\r\n0\r\n\r\n", b"\r\n5\r\nhello\r\n"),
    ],
)
@on_server
async def test_malformed_chunks_are_refused(connect: Open, body: bytes) -> None:
    reader, writer = await connect()
    writer.write(CHUNKED + body + NEXT)
    answer = await until_the_end(reader)
    assert statuses(answer) == [b"400"]
    assert code(answer) == (b"400", "malformed_request")


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        (POST + b"Content-Length: %d\r\n" % len(NEXT), NEXT, b"400"),
        (POST + b"Transfer-Encoding: chunked\r\n", b"%x\r\n%b\r\n0\r\n\r\n" % (len(NEXT), NEXT), b"400"),
        (PLANS[:-2], b"", b"200"),
    ],
)
@on_server
async def test_a_request_to_upgrade_is_read_as_one_without(
    connect: Open, at_once: bool, head: bytes, body: bytes, status: bytes
) -> None:
    head += b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n\r\n"
    last = PLANS[:-2] + b"Connection: close\r\n\r\n"
    reader, writer = await connect()
    for part in [head + body + last] if at_once else [head, body, last]:
        writer.write(part)
        await asyncio.sleep(0.02)
    answers = await until_the_end(reader)
    assert statuses(answers) == [status, b"200"]
    assert (b"malformed_json" in answers) == bool(body)  # the function got it


@on_server
async def test_trailers_are_no_headers(connect: Open) -> None:
    reader, writer = await connect()
    writer.write(
        CHUNKED.replace(b"/keys", b"/skills/pix").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    )
    writer.write(b"2\r\n{}\r\n0\r\nX-API-Key: brsk_demo00000000000000000000000000001gbZMd\r\nHost: y\r\n\r\n")
    assert statuses(await until_the_end(reader)) == [b"401"]


@pytest.mark.parametrize(("part", "status"), [(b"a: b\r\n", b"431"), (b"a" * 2000, b"413")])
@on_server
async def test_trailers_have_a_limit(connect: Open, part: bytes, status: bytes) -> None:
    reader, writer = await connect()
    writer.write(CHUNKED + b"2\r\n{}\r\n0\r\nX: a\r\n")
    answer = asyncio.ensure_future(until_the_end(reader))
    while not answer.done():
        writer.write(part * 100)
        await asyncio.sleep(0.001)
    assert code(await answer)[0] == status


@pytest.mark.parametrize(
    "broken", [b"\x16\r\n\r\n", CHUNKED + b"x", POST + b"Transfer-Encoding: gzip\r\n\r\n"]
)
@on_server
async def test_what_was_asked_before_a_malformed_request_is_answered_first(
    connect: Open, broken: bytes
) -> None:
    reader, writer = await connect()
    writer.write(PLANS * 3 + broken + PLANS)
    answer = await until_the_end(reader)
    assert statuses(answer)[:3] == [b"200"] * 3
    assert len(statuses(answer)) == 4
    assert code(answer)[0] in {b"400", b"501"}
    assert len(re.findall(rb"x-request-id: ", answer.lower())) == 4


@on_server
async def test_a_connection_has_a_limit_of_requests_that_wait(
    connect: Open, state: ServerState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brskills_server.gateway.request_parser.MAX_PIPELINED", 10)
    reader, writer = await connect()
    writer.write(PLANS * 10 + NEXT)
    answer = await until_the_end(reader)
    assert statuses(answer) == [b"200"] * 10 + [b"400"]
    assert json.loads(answer.rpartition(b"\r\n\r\n")[2])["code"] == "malformed_request"
    writer.close()
    await closed(state)
