"""The store slow, silent, gone, throttling: nothing is counted twice, nothing is guessed."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import boto3
import pytest
from botocore.config import Config

from brskills_server.accounts import calendar as month
from brskills_server.accounts.account import Caller
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import generate
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.client import dynamodb_client
from brskills_server.metering.ledger import Ledger

Answer = Callable[[BaseHTTPRequestHandler], None]


class Store(ThreadingHTTPServer):
    """A DynamoDB that misbehaves as told and counts what it is asked."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked = 0
        self.answers: list[Answer] = []
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: Store

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked += 1
        answer = self.server.answers.pop(0) if len(self.server.answers) > 1 else self.server.answers[0]
        answer(self)

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
    time.sleep(1.5)
    request.close_connection = True


def hanging_up(request: BaseHTTPRequestHandler) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)
    request.close_connection = True


def error(code: str, status: int = 400) -> Answer:
    return replying(status, {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "no"})


COUNTED = replying(
    200,
    {
        "Attributes": {
            "pk": {"S": "ACCOUNT#acc_x"},
            "plan": {"S": "free"},
            "monthly_limit": {"N": "100"},
            "keys": {"M": {"0" * 64: {"N": "0"}}},
            "created_at": {"N": "1795000000"},
            f"calls#{month.month_name(time.time())}": {"N": "1"},
        }
    },
)


@pytest.fixture
def store() -> Iterator[Store]:
    with Store() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ledger_on(port: int, timeout: float = 0.5) -> Ledger:
    config = Config(connect_timeout=timeout, read_timeout=timeout, retries={"total_max_attempts": 1})
    client = boto3.client("dynamodb", endpoint_url=f"http://127.0.0.1:{port}", config=config)
    return Ledger(DynamoAccess(client, "Access"), demo_limit=20)


CALLER = Caller("acc_x", "0" * 64)


@pytest.mark.parametrize("answer", [silent, hanging_up, error("InternalServerError", 500), replying(500, {})])
def test_a_write_that_may_have_been_applied_is_not_repeated(store: Store, answer: Answer) -> None:
    store.answers = [answer]
    with pytest.raises(StoreUnavailable):
        ledger_on(store.server_port).reserve(CALLER)
    assert store.asked == 1


HALF = b"HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 2000\r\nConnection: x\r\n\r\n" + b'{"Item": {'


@pytest.mark.parametrize("passed", [0, 8, 17, 19, 28, 46, HALF.index(b"{") - 2, HALF.index(b"{"), len(HALF)])
def test_an_answer_that_is_cut_anywhere_is_doubt_and_never_an_answer(
    store: Store, monkeypatch: pytest.MonkeyPatch, passed: int
) -> None:
    def cut(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(HALF[:passed])
        hanging_up(request)

    store.answers = [cut]
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", f"http://127.0.0.1:{store.server_port}")
    access = DynamoAccess(dynamodb_client(5), "Access")
    for ask in (Ledger(access, demo_limit=20).reserve, Ledger(access, demo_limit=20).verify):
        with pytest.raises(StoreUnavailable):
            ask(CALLER)
    assert store.asked == 2


@pytest.mark.parametrize(
    "code", ["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"]
)
def test_what_was_refused_undone_is_tried_again(store: Store, code: str) -> None:
    store.answers = [error(code), COUNTED]
    assert ledger_on(store.server_port).reserve(CALLER).quota.limit == 100
    assert store.asked == 2


def test_but_not_for_ever(store: Store) -> None:
    store.answers = [error("ThrottlingException")]
    with pytest.raises(StoreUnavailable, match="ThrottlingException") as failure:
        ledger_on(store.server_port).reserve(CALLER)
    assert failure.type is StoreUnavailable
    assert store.asked == 3


def test_a_store_that_is_not_there_is_unavailable() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        ledger = ledger_on(unused.getsockname()[1])
        for ask in (ledger.reserve, ledger.verify, ledger.usage):
            with pytest.raises(StoreUnavailable):
                ask(CALLER)


def test_every_look_at_a_key_needs_the_store(store: Store) -> None:
    store.answers = [error("InternalServerError", 500)]
    client = boto3.client(
        "dynamodb",
        endpoint_url=f"http://127.0.0.1:{store.server_port}",
        config=Config(retries={"total_max_attempts": 1}),
    )
    with pytest.raises(StoreUnavailable):
        Accounts(DynamoAccess(client, "Access"), "no demo").identify(generate())


def test_the_functions_client_waits_a_second_and_repeats_nothing() -> None:
    config = dynamodb_client().meta.config
    assert (config.connect_timeout, config.read_timeout) == (1.0, 1.0)
    assert config.retries["total_max_attempts"] == 1
