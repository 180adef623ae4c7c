"""The gateway's server over raw sockets: slow clients, requests it refuses itself, odd but legal ones."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import BinaryIO

import httpx
import pytest

from tests.integration.conftest import Running
from tests.services.gateway_thread import gateway_thread

from .service import CHARGE, DEMO, PIX, connect

HEAD = b"POST /api/v1/skills/pix HTTP/1.1\r\nHost: x\r\n"
PROBLEM = {"type", "title", "status", "detail", "code", "request_id"}


def received(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """The next answer on a connection."""
    with connection.makefile("rb") as stream:
        status, headers = head_of(stream)
        return status, headers, stream.read(int(headers["content-length"]))


def head_of(stream: BinaryIO) -> tuple[int, dict[str, str]]:
    """The head of the next answer."""
    status = int(stream.readline().split()[1])
    headers: dict[str, str] = {}
    while line := stream.readline().strip():
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    return status, headers


@pytest.fixture(scope="module")
def one_process() -> Iterator[str]:
    with gateway_thread() as base:
        yield base


def test_slow_and_idle_clients_hold_nobody_up(one_process: str) -> None:
    with ExitStack() as stack:
        for n in range(192):
            connection = stack.enter_context(connect(one_process))
            if n % 3 == 0:
                connection.sendall(HEAD[:20])
            elif n % 3 == 1:
                connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
        with httpx.Client(base_url=one_process, timeout=60) as http:
            key = {"X-API-Key": http.post("/api/v1/keys").json()["api_key"]}
            statuses = [http.post(PIX, json=CHARGE, headers=key).status_code for _ in range(50)]
    assert statuses == [200] * 50


REFUSED = [
    (b"\x16\x03\x01\x02\x00\x01\x00segredo\r\n\r\n", 400, "malformed_request"),
    (b"GET /segredo HTTP/1.1\r\n\r\n", 400, "malformed_request"),
    (b"GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed_request"),
    (HEAD + b"X-API-Key: segredo\r\nContent-Length: a\r\n\r\n", 400, "malformed_request"),
    (HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 400, "malformed_request"),
    (HEAD + b"X: a\x00b\r\n\r\n", 400, "malformed_request"),
    (HEAD + b"Transfer-Encoding: chunked\r\n\r\nsegredo\r\n", 400, "malformed_request"),
    (HEAD + b"Transfer-Encoding: gzip\r\n\r\n", 501, "unsupported_transfer_encoding"),
    (HEAD + b"Content-Length: 10485761\r\n\r\n", 413, "body_too_large"),
    (b"GET /" + b"segredo" * 5000, 414, "uri_too_long"),
    (b"GET /" + b"segredo" * 1170 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri_too_long"),
    (HEAD + b"X: " + b"segredo" * 5000, 431, "headers_too_large"),
    (HEAD + b"X: " + b"segredo" * 2400 + b"\r\n\r\n", 431, "headers_too_large"),
]


def test_what_the_server_refuses_itself_is_a_problem_too(running: Running, base: str) -> None:
    printed = len(running.output.read_text())
    for sent, status, code in REFUSED:
        with connect(base) as connection:
            connection.sendall(sent)
            answered, headers, body = received(connection)
        problem = json.loads(body)
        assert (answered, headers["content-type"]) == (status, "application/problem+json"), sent
        assert problem.keys() == PROBLEM, sent
        assert (problem["status"], problem["code"]) == (status, code), sent
        assert " / " in problem["detail"], sent
        assert headers["x-request-id"] == problem["request_id"], sent
        assert headers["access-control-allow-origin"] == "*", sent
        lines = running.output.read_text()[printed:].splitlines()
        assert any(headers["x-request-id"] in line and f" {status} " in line for line in lines), sent
    assert "segredo" not in running.output.read_text()[printed:]


def test_a_body_is_asked_for_when_a_client_waits_for_that(base: str) -> None:
    body = json.dumps(CHARGE).encode()
    head = HEAD + f"X-API-Key: {DEMO['X-API-Key']}\r\nContent-Type: application/json\r\n".encode()
    with connect(base) as connection:
        connection.sendall(
            head + b"Expect: 100-continue\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
        )
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        status, _, answer = received(connection)
    assert (status, json.loads(answer)["chave"]) == (200, CHARGE["chave"])


def test_a_body_too_large_to_be_sent_is_not_asked_for(base: str) -> None:
    with connect(base) as connection:
        connection.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 10485761\r\n\r\n")
        assert received(connection)[0] == 413


def test_chunks_beyond_the_limit_are_refused(http: httpx.Client) -> None:
    answer = http.post("/api/v1/keys", content=(b"x" * 65_536 for _ in range(161)))
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


def test_a_connection_takes_many_requests(one_process: str) -> None:
    key = httpx.post(f"{one_process}/api/v1/keys").json()["api_key"].encode()
    body = json.dumps(CHARGE).encode()
    head = HEAD + b"Content-Type: application/json\r\nContent-Length: %d\r\nX-API-Key: " % len(body)
    requests = {
        head + key + b"\r\n\r\n" + body: 200,
        head + b"nope\r\n\r\n" + body: 401,
        b"GET /nope HTTP/1.1\r\nHost: x\r\n\r\n": 404,
    }
    with connect(one_process) as connection, connection.makefile("rb") as stream:
        for _ in range(100):  # the calls of the key's month
            for request, expected in requests.items():
                connection.sendall(request)
                status, headers = head_of(stream)
                stream.read(int(headers["content-length"]))
                assert (status, headers.get("connection")) == (expected, None)


@pytest.mark.parametrize("number", ["33.000.167%2F0001-01", "33.000.167/0001-01", "33000167000101"])
def test_a_slash_in_a_number_may_be_encoded(http: httpx.Client, number: str) -> None:
    answer = http.get(f"/api/v1/skills/cnpj/{number}", headers=DEMO)
    assert (answer.status_code, answer.json()["cnpj"]) == (200, "33000167000101")


def test_head_has_no_body_and_leaves_the_connection_in_order(http: httpx.Client) -> None:
    answer = http.head("/api/v1/plans")
    assert answer.content == b""
    assert http.get("/api/v1/plans").status_code == 200


def test_headers_need_not_be_text(http: httpx.Client) -> None:
    headers = {
        "X-API-Key": DEMO["X-API-Key"],
        "Accept-Language": "en",
        "X-Odd": b"\xe9\xff",
        "Accept": b"\xff",
    }
    assert http.post(PIX, json=CHARGE, headers=headers).status_code == 200  # type: ignore[arg-type]
