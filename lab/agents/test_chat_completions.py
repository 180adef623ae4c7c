"""A model by chat completions, on loopback: turns, refusals, a busy service and one that is not there."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from lab.agents.chat_completions import ChatCompletions
from lab.agents.evaluation import perform
from lab.agents.model import Json, ModelError, Reply, ToolCall
from lab.agents.scripted import ScriptedModel
from lab.agents.scripts import RIGHT
from lab.agents.tasks import TASKS
from tests.services.gateway import free_port

KEY = "a-secret-key"
ASKED: Json = {"role": "user", "content": "Oi"}
Answer = tuple[int, Any]


@contextlib.contextmanager
def serving(answer: Callable[[Json], Answer]) -> Iterator[str]:
    """Yield the base URL of a service of chat completions that answers so."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Write no log."""

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert (self.path, self.headers["Authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
            status, content = answer(asked)
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
            thread.join()


def completion(reply: Reply) -> Json:
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.calls
    ]
    message = {"role": "assistant", "content": reply.text or None, **({"tool_calls": calls} if calls else {})}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


@pytest.mark.parametrize("task", [task for task in TASKS if len(task.steps) != 1], ids=lambda task: task.name)
def test_whole_tasks_are_done_by_a_service_of_chat_completions(task: Any, base: str) -> None:
    scripted = ScriptedModel(RIGHT[task.name])

    def answer(asked: Json) -> Answer:
        assert asked["model"] == "a-model"
        assert [message["role"] for message in asked["messages"][:2]] == ["system", "user"]
        return 200, completion(scripted.complete(asked["messages"], asked["tools"]))

    with serving(answer) as url:
        outcome = perform(task, ChatCompletions("a-model", url, KEY), base)
    assert outcome.failures == []
    assert [call.tool for call in outcome.run.calls] == [step.tool for step in task.steps]


def test_a_call_and_an_answer_are_read() -> None:
    call = ToolCall("call_1", "get_usage", "{}")
    for reply in (Reply("Oi."), Reply("", (call,)), Reply("Vejo o uso.", (call, call._replace(id="call_2")))):
        with serving(lambda _, reply=reply: (200, completion(reply))) as url:  # type: ignore[misc]
            assert ChatCompletions("a-model", url, KEY).complete([ASKED], []) == reply


def test_a_busy_service_is_asked_again() -> None:
    statuses = iter([429, 503, 200])
    with serving(lambda _: (next(statuses), completion(Reply("Oi.")))) as url:
        assert ChatCompletions("a-model", url, KEY).complete([ASKED], []).text == "Oi."


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((401, {"error": "no such key"}), "HTTP 401.*no such key"),
        ((429, {"error": "slow down"}), "HTTP 429.*slow down"),
        ((200, {"choices": []}), "no chat completion"),
        ((200, ["text"]), "no chat completion"),
        ((200, {"choices": [{"message": {"tool_calls": [{"id": "1"}]}}]}), "no chat completion"),
    ],
)
def test_what_is_no_completion_is_an_error_without_the_key(answer: Answer, said: str) -> None:
    with serving(lambda _: answer) as url, pytest.raises(ModelError, match=said) as raised:
        ChatCompletions("a-model", url, KEY).complete([ASKED], [])
    assert KEY not in str(raised.value)


def test_a_service_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ModelError, match="ConnectError"):
        ChatCompletions("a-model", f"http://127.0.0.1:{free_port()}/v1", KEY).complete([ASKED], [])


def test_arguments_that_are_no_object_are_a_failed_call(base: str) -> None:
    turns = iter(
        [Reply("", (ToolCall("1", "get_usage", "[1]"), ToolCall("2", "get_usage", "{"))), Reply("Oi.")]
    )
    seen = list[str]()

    def answer(asked: Json) -> Answer:
        seen.extend(message["content"] for message in asked["messages"] if message["role"] == "tool")
        return 200, completion(next(turns))

    task = next(task for task in TASKS if task.name == "calls left")
    with serving(answer) as url:
        outcome = perform(task, ChatCompletions("a-model", url, KEY), base)
    assert [call.data for call in outcome.run.calls] == [{}, {}]
    assert seen == ["The arguments must be a JSON object."] * 2
