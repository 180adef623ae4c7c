"""A store that is slow, silent, absent or throttling, and truncated answers: nothing is counted twice."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import boto3
import pytest
from botocore.config import Config

from brskills_server.accounts import calendar as month
from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import GatewayUnavailable, StoreUnavailable
from brskills_server.adapters import parameter_store
from brskills_server.adapters.apigateway import open_gateway_keys
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.client import dynamodb_client
from brskills_server.adapters.parameter_store import Secret
from brskills_server.metering.ledger import Ledger

Answer = Callable[[BaseHTTPRequestHandler], None]


class Store(ThreadingHTTPServer):
    """An HTTP server with prepared answers that counts its requests."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked = 0
        self.answers: list[Answer] = []
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: Store

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked += 1
        answer = self.server.answers.pop(0) if len(self.server.answers) > 1 else self.server.answers[0]
        answer(self)

    do_GET = do_POST

    def log_message(self, *_: object) -> None:
        """Quiet."""


def replying(status: int, body: dict[str, object]) -> Answer:
    def reply(request: BaseHTTPRequestHandler) -> None:
        content = json.dumps(body).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/x-amz-json-1.0")
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)

    return reply


def silent(request: BaseHTTPRequestHandler) -> None:
    time.sleep(1)
    request.close_connection = True


def hanging_up(request: BaseHTTPRequestHandler) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)
    request.close_connection = True


def error(code: str, status: int = 400) -> Answer:
    return replying(status, {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "no"})


COUNTED_BODY: dict[str, object] = {
    "Attributes": {
        "pk": {"S": "ACCOUNT#acc_x"},
        "plan": {"S": "free"},
        "monthly_limit": {"N": "100"},
        "keys": {"M": {"0" * 64: {"N": "0"}}},
        "created_at": {"N": "1795000000"},
        f"calls#{month.month_name(time.time())}": {"N": "1"},
    }
}
COUNTED = replying(200, COUNTED_BODY)


@pytest.fixture(scope="module")
def server() -> Iterator[Store]:
    with Store() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def store(server: Store) -> Store:
    server.asked = 0
    return server


@cache
def client_on(port: int) -> Any:
    config = Config(connect_timeout=0.3, read_timeout=0.3, retries={"total_max_attempts": 1})
    return boto3.client("dynamodb", endpoint_url=f"http://127.0.0.1:{port}", config=config)


def ledger_on(port: int) -> Ledger:
    return Ledger(DynamoAccess(client_on(port), "Access", "Watches"), demo_limit=20)


CALLER = Caller("acc_x", "0" * 64)


@pytest.mark.parametrize("answer", [silent, hanging_up, error("InternalServerError", 500), replying(500, {})])
def test_a_write_that_may_have_been_applied_is_not_repeated(store: Store, answer: Answer) -> None:
    store.answers = [answer]
    with pytest.raises(StoreUnavailable):
        ledger_on(store.server_port).reserve(CALLER)
    assert store.asked == 1


class Unavailable(Exception):
    """The exception of a secret's user."""


def open_store() -> Callable[[], object]:
    ledger = Ledger(DynamoAccess(dynamodb_client(5), "Access", "Watches"), demo_limit=20)
    return lambda: ledger.reserve(CALLER).quota.calls


def open_secret() -> Callable[[], object]:
    return Secret("ssm:/shop/key", Unavailable)


def open_keys() -> Callable[[], object]:
    plans = {"PRO_USAGE_PLAN": "plan", "ENTERPRISE_USAGE_PLAN": "plan"}
    return open_gateway_keys({"GATEWAY_KEY_PREFIX": "stack", **plans}).list


@pytest.mark.parametrize(
    ("open_client", "body", "unavailable", "answer"),
    [
        (open_store, json.dumps(COUNTED_BODY).encode(), StoreUnavailable, 1),
        (open_secret, b'{"Parameter": {"Value": "whole"}}', Unavailable, "whole"),
        (open_keys, b'{"item": []}', GatewayUnavailable, []),
    ],
)
def test_a_truncated_answer_is_an_error(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    open_client: Callable[[], Callable[[], object]],
    body: bytes,
    unavailable: type[Exception],
    answer: object,
) -> None:
    head = b"HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: %d\r\nConnection: x\r\n\r\n" % len(body)
    whole = head + body

    def sending(length: int) -> Answer:
        def send(request: BaseHTTPRequestHandler) -> None:
            request.wfile.write(whole[:length])
            hanging_up(request)

        return send

    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{store.server_port}")
    monkeypatch.setattr(parameter_store, "_get_parameter", parameter_store._get_parameter.__wrapped__)
    request_it = open_client()
    lengths = [0, 17, len(head) - 2, len(head), len(whole) - 1]  # of each part, and within
    for asked, length in enumerate(lengths, 1):
        store.answers = [sending(length)]
        with pytest.raises(unavailable):
            request_it()
        if open_client is open_store:
            assert store.asked == asked  # not repeated
    store.answers = [sending(len(whole))]
    assert request_it() == answer


@pytest.mark.parametrize("code", ["ThrottlingException", "ProvisionedThroughputExceededException"])
def test_a_throttled_write_is_retried(store: Store, code: str) -> None:
    store.answers = [error(code), COUNTED]
    assert ledger_on(store.server_port).reserve(CALLER).quota.limit == 100
    assert store.asked == 2


def test_a_throttled_write_is_tried_three_times(store: Store) -> None:
    store.answers = [error("ThrottlingException")]
    with pytest.raises(StoreUnavailable, match="ThrottlingException") as failure:
        ledger_on(store.server_port).reserve(CALLER)
    assert failure.type is StoreUnavailable
    assert store.asked == 3


def test_an_unreachable_store_is_unavailable() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        ledger = ledger_on(unused.getsockname()[1])
        for ask in (ledger.reserve, ledger.verify, ledger.usage):
            with pytest.raises(StoreUnavailable):
                ask(CALLER)


def test_the_functions_client_waits_a_second_and_repeats_nothing() -> None:
    config = dynamodb_client().meta.config
    assert (config.connect_timeout, config.read_timeout) == (1.0, 1.0)
    assert config.retries["total_max_attempts"] == 1
