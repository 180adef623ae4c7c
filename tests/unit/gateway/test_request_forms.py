"""Forms of requests that proxies may read in another way, and the answers of those that are refused."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress

import pytest
from uvicorn.server import ServerState

from .server import CHUNKED, PLANS, Open, closed, code, on_server, until_the_end

POST = b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\n"
NEXT = b"GET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HOSTS = b"a/b@c", b"a b", b'"><script>', b"x:y", b"x:1:2", b"[::1", b"\xe9", b"x?y"
SIZE = 5 * 1024 * 1024
LONG = b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % SIZE

AMBIGUOUS = [
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
    b"CONNECT /api/v1/plans HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\nHost: x\r\n\r\n",
]
ENCODINGS = b"gzip", b"gzip, chunked", b"xchunked", b"identity", b"chunked;q=1"
CHUNKS = (
    *(b"5\nhello\r\n0\r\n\r\n", b"5\r\nhello0\r\n\r\n", b"5 \r\nhello\r\n0\r\n\r\n"),
    *(b"0x5\r\nhello\r\n0\r\n\r\n", b"-5\r\nhello\r\n0\r\n\r\n", b"5;a\nb\r\nhello\r\n0\r\n\r\n"),
    *(b"fffffffffffffffff\r\nhello\r\n", b"5;a\rb\r\nhello\r\n0\r\n\r\n", b"\r\n5\r\nhello\r\n"),
)


def statuses(answers: bytes) -> list[bytes]:
    return re.findall(rb"HTTP/1\.1 (\d+)", answers)


async def refused(connect: Open, sent: bytes) -> tuple[bytes, str]:
    """Status and code of the only answer to what a client has sent that then ends."""
    reader, writer = await connect()
    writer.write(sent + NEXT)
    writer.write_eof()
    answer = await until_the_end(reader)
    assert len(statuses(answer)) == 1, sent
    return code(answer)


@on_server
async def test_an_ambiguous_request_is_refused_and_ends_the_connection(connect: Open) -> None:
    for head in AMBIGUOUS:
        assert await refused(connect, head + b"0\r\n\r\n") == (b"400", "malformed_request"), head
    for chunks in CHUNKS:
        assert await refused(connect, CHUNKED + chunks) == (b"400", "malformed_request"), chunks


@on_server
async def test_other_encodings_than_chunked_are_refused(connect: Open) -> None:
    for encoding in ENCODINGS:
        sent = POST + b"Transfer-Encoding: " + encoding + b"\r\n\r\n0\r\n\r\n"
        assert await refused(connect, sent) == (b"501", "unsupported_transfer_encoding"), encoding


@on_server
async def test_a_head_has_limits(connect: Open) -> None:
    head = PLANS.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n")
    for sent, status in {
        head + b"a:\r\n" * 98 + b"\r\n": b"200",
        head + b"a:\r\n" * 99 + b"\r\n": b"431",
        head + b"a:\r\n" * 60_000 + b"\r\n": b"431",
        head + b"a: " + b"b" * 16_000 + b"\r\n\r\n": b"200",
        head + b"a: " + b"b" * 16_400 + b"\r\n\r\n": b"431",
        head + b"a: " + b"b" * 250_000: b"431",
        b"\r\n" * 20_000: b"431",
        head.replace(b"plans", b"plans?" + b"a" * 8_176) + b"\r\n": b"200",
        head.replace(b"plans", b"plans?" + b"a" * 8_177) + b"\r\n": b"414",
        b"GET /" + b"a" * 40_000: b"414",
    }.items():
        for before in (b"", PLANS):
            reader, writer = await connect()
            writer.write(before + sent)
            answers = statuses(await until_the_end(reader))
            assert answers == [b"200"] * bool(before) + [status], (sent[-50:], len(sent))


@pytest.mark.parametrize("at_once", [True, False])
@on_server
async def test_a_request_to_upgrade_is_read_as_one_without(connect: Open, at_once: bool) -> None:
    """Java's client asks for HTTP/2 in its first request, whatever that is."""
    last = PLANS[:-2] + b"Connection: close\r\n\r\n"
    for head, body, status in (
        (POST + b"Content-Length: %d\r\n" % len(NEXT), NEXT, b"400"),
        (POST + b"Transfer-Encoding: chunked\r\n", b"%x\r\n%b\r\n0\r\n\r\n" % (len(NEXT), NEXT), b"400"),
        (PLANS[:-2], b"", b"200"),
    ):
        head += b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n\r\n"
        reader, writer = await connect()
        for part in [head + body + last] if at_once else [head, body, last]:
            writer.write(part)
            await asyncio.sleep(0.02)
        answers = await until_the_end(reader)
        assert statuses(answers) == [status, b"200"], head
        assert (b"malformed_json" in answers) == bool(body), head  # the function got it


@on_server
async def test_trailers_are_no_headers(connect: Open) -> None:
    reader, writer = await connect()
    writer.write(
        CHUNKED.replace(b"/keys", b"/skills/pix").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    )
    writer.write(b"2\r\n{}\r\n0\r\nX-API-Key: brsk_demo00000000000000000000000000001gbZMd\r\nHost: y\r\n\r\n")
    assert statuses(await until_the_end(reader)) == [b"401"]


@on_server
async def test_trailers_have_a_limit(connect: Open) -> None:
    for part in (b"a: b\r\n", b"a" * 2000):
        reader, writer = await connect()
        writer.write(CHUNKED + b"2\r\n{}\r\n0\r\nX: a\r\n" + part * (1_200_000 // len(part)))
        assert code(await until_the_end(reader)) == (b"413", "body_too_large"), part


@on_server
async def test_what_was_asked_before_a_malformed_request_is_answered_first(connect: Open) -> None:
    for broken in (b"\x16\r\n\r\n", CHUNKED + b"x", POST + b"Transfer-Encoding: gzip\r\n\r\n"):
        reader, writer = await connect()
        writer.write(PLANS * 3 + broken + PLANS)
        answer = await until_the_end(reader)
        assert statuses(answer)[:3] == [b"200"] * 3, broken
        assert len(statuses(answer)) == 4, broken
        assert code(answer)[0] in {b"400", b"501"}, broken
        assert len(re.findall(rb"x-request-id: ", answer.lower())) == 4, broken


@on_server
async def test_a_connection_has_a_limit_of_requests_that_wait(
    connect: Open, state: ServerState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.MAX_PIPELINED", 9)
    reader, writer = await connect()
    writer.write(PLANS * 10 + NEXT)
    answer = await until_the_end(reader)
    assert statuses(answer) == [b"200"] * 10 + [b"400"]
    assert json.loads(answer.rpartition(b"\r\n\r\n")[2])["code"] == "malformed_request"
    writer.close()
    await closed(state)


@on_server
async def test_a_client_that_sends_all_before_it_reads_gets_its_answer(
    connect: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brskills_server.gateway.body.DISCARD_SECONDS", 30)
    for head, expected in (
        (LONG, (b"413", "body_too_large")),
        (CHUNKED + b"x", (b"400", "malformed_request")),
        (b"\x16\r\n", (b"400", "malformed_request")),
    ):
        reader, writer = await connect()
        for piece in (head, *[b"x" * 65_536] * (SIZE // 65_536)):
            writer.write(piece)
            await writer.drain()
        writer.write_eof()
        assert code(await reader.read()) == expected, head


@on_server
async def test_a_refused_client_that_sends_no_more_is_not_awaited(
    connect: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brskills_server.gateway.body.DISCARD_SECONDS", 60)
    reader, writer = await connect()
    writer.write(PLANS + b"\x16\r\n")
    writer.write_eof()
    assert statuses(await reader.read()) == [b"200", b"400"]


@on_server
async def test_no_more_is_read_after_a_refusal_than_eight_megabytes(
    connect: Open, state: ServerState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brskills_server.gateway.body.DISCARD_SECONDS", 30)
    _, writer = await connect()
    writer.write(LONG)
    sent = 0
    with suppress(ConnectionError):
        while sent < 100 * SIZE:
            writer.write(b"x" * 65_536)
            await writer.drain()
            sent += 65_536
    assert SIZE < sent < 100 * SIZE
    await closed(state)


@on_server
async def test_a_refused_client_that_stays_is_not_kept(connect: Open, state: ServerState) -> None:
    reader, writer = await connect()
    writer.write(LONG)
    assert code(await until_the_end(reader)) == (b"413", "body_too_large")
    await closed(state)
