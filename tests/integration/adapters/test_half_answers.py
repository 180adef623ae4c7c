"""An answer of AWS's that is cut anywhere is a fault, never an answer: what is missing is not "nothing"."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from brskills_server.accounts.errors import GatewayUnavailable
from brskills_server.adapters import parameter_store
from brskills_server.adapters.apigateway import open_gateway_keys
from brskills_server.adapters.parameter_store import Secret


class Cutting(ThreadingHTTPServer):
    """Sends what it is told of an answer, and hangs up."""

    daemon_threads = True
    sent = b""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: Cutting

    def handle(self) -> None:
        self.connection.recv(65536)
        self.wfile.write(self.server.sent)
        self.connection.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cutting]:
    with Cutting() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setattr(parameter_store, "_get_parameter", parameter_store._get_parameter.__wrapped__)
        yield server
        server.shutdown()
        thread.join()


class Unavailable(Exception):
    """What the user of a secret raises."""


def read_secret() -> object:
    return Secret("ssm:/shop/key", Unavailable)()


def list_keys() -> object:
    plans = {"PRO_USAGE_PLAN": "plan", "ENTERPRISE_USAGE_PLAN": "plan"}
    return open_gateway_keys({"GATEWAY_KEY_PREFIX": "stack", **plans}).list()


HEAD = b"HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: %d\r\nConnection: x\r\n\r\n"
SECRET = b'{"Parameter": {"Value": "whole"}}'
NO_KEYS = b'{"item": []}'


@pytest.mark.parametrize(
    ("ask", "body", "unavailable", "answer"),
    [
        pytest.param(read_secret, SECRET, Unavailable, "whole", id="a secret"),
        pytest.param(list_keys, NO_KEYS, GatewayUnavailable, [], id="gateway keys"),
    ],
)
def test_only_a_whole_answer_is_one(
    server: Cutting, ask: Callable[[], object], body: bytes, unavailable: type[Exception], answer: object
) -> None:
    head = HEAD % len(body)
    whole = head + body
    ends = [0, 8, 17, 19, 28, 46, len(head) - 2, len(head), len(whole) - 1]  # of each part, and within
    for end in ends:
        server.sent = whole[:end]
        with pytest.raises(unavailable):
            ask()
    server.sent = whole
    assert ask() == answer
