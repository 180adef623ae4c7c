"""Invoking the function with the indexes, over HTTP as AWS answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar

import pytest

from brskills_server.adapters.search.dynamodb import LambdaFunctions
from brskills_server.registry.store import StoreFault


class Answer(BaseHTTPRequestHandler):
    """One answer to every request. ``asked``: path and body of each."""

    asked: ClassVar[list[tuple[str, object]]] = []
    status: ClassVar[int] = 200
    extra: ClassVar[dict[str, str]] = {}
    body: ClassVar[bytes] = b""
    missing: ClassVar[int] = 0

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, json.loads(content)))
        self.send_response(self.status)
        for name, value in self.extra.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(self.body) + self.missing))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Answer]]:
    """Return the handler of a server in place of AWS', to set its answer."""
    chosen = type("Chosen", (Answer,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), chosen) as server:
        Thread(target=server.serve_forever).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", f"http://127.0.0.1:{server.server_port}")
        for name in ("AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.setenv(name, "sa-east-1")
        yield chosen
        server.shutdown()


def test_a_function_is_asked_and_answers_in_json(answer: type[Answer]) -> None:
    answer.body = b'["PADARIA"]'
    functions = LambdaFunctions()
    for _ in range(2):
        assert functions.ask("stack-register-search", edition_id="1", words=["A"], limit=5) == ["PADARIA"]
    path = "/2015-03-31/functions/stack-register-search/invocations"
    assert answer.asked == [(path, {"edition_id": "1", "words": ["A"], "limit": 5})] * 2


def test_a_function_that_does_not_exist_has_no_index(answer: type[Answer]) -> None:
    answer.status, answer.extra = 404, {"x-amzn-errortype": "ResourceNotFoundException"}
    answer.body = b'{"Message": "Function not found"}'
    assert LambdaFunctions().ask("f") is None


@pytest.mark.parametrize(
    ("status", "extra", "missing", "message"),
    [
        (200, {"X-Amz-Function-Error": "Unhandled"}, 0, "the function failed"),
        (429, {"x-amzn-errortype": "TooManyRequestsException"}, 0, "TooManyRequestsException"),
        (200, {}, 9, "ResponseStreamingError"),
    ],
)
def test_what_a_function_cannot_do_is_a_fault(
    answer: type[Answer], status: int, extra: dict[str, str], missing: int, message: str
) -> None:
    answer.status, answer.extra, answer.missing = status, extra, missing
    answer.body = b'{"errorType": "SearchFailed"}'
    with pytest.raises(StoreFault, match=message):
        LambdaFunctions().ask("f")
    assert len(answer.asked) == 1
