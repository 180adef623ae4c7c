"""A language model on loopback that follows a script, for programs that people talk to.

It speaks as much of three makers' protocols as their programs need. With the tool for companies at hand it
has a test company looked up; given the record, it says so.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWER = "EMPRESA DE EXEMPLO LTDA: ATIVA"
_NAME, _ARGUMENTS = "look_up_company", {"cnpj": "SANDBOX1000170"}
_KNOWN = "EMPRESA DE EXEMPLO LTDA"  # in the record, and in no question
_RESULTS = ('"tool_result"', '"function_call_output"', '"functionResponse"')
Event = dict[str, Any]


@contextlib.contextmanager
def scripted_model() -> Iterator[str]:
    """Run a model and yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Model) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class _Model(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Write no log."""

    def do_HEAD(self) -> None:
        """Answer a probe."""
        self._send("application/json", "")

    def do_GET(self) -> None:
        """List no models."""
        self._send("application/json", '{"data": [], "models": []}')

    def do_POST(self) -> None:
        """Answer a turn of a conversation."""
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        calls = _NAME in asked and not any(mark in asked for mark in _RESULTS)
        says = ANSWER if _KNOWN in asked else "no record"
        dialect = next((write for part, write in _DIALECTS.items() if part in self.path), None)
        if dialect is None:
            self.send_error(404)
            return
        events = dialect(says, calls=calls)
        lines = [
            (f"event: {event['type']}\n" if "type" in event else "") + f"data: {json.dumps(event)}\n\n"
            for event in events
        ]
        self._send("text/event-stream", "".join(lines))

    def _send(self, media_type: str, body: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())


def _anthropic(says: str, *, calls: bool) -> list[Event]:
    block: Event = {"type": "text", "text": ""}
    delta: Event = {"type": "text_delta", "text": says}
    if calls:
        block = {"type": "tool_use", "id": "toolu_1", "name": f"mcp__brskills__{_NAME}", "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(_ARGUMENTS)}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": []}
    usage = {"input_tokens": 1, "output_tokens": 1}
    stop = "tool_use" if calls else "end_turn"
    return [
        {"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


def _openai(says: str, *, calls: bool) -> list[Event]:
    item: Event = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": says}]}
    if calls:
        call = {"name": _NAME, "namespace": "mcp__brskills", "arguments": json.dumps(_ARGUMENTS)}
        item = {"type": "function_call", "call_id": "call_1", **call}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return [
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.output_item.done", "item": item},
        {"type": "response.completed", "response": {"id": "resp_1", "usage": usage}},
    ]


def _google(says: str, *, calls: bool) -> list[Event]:
    part: Event = {"text": says}
    if calls:
        part = {"functionCall": {"name": f"mcp_brskills_{_NAME}", "args": _ARGUMENTS}}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return [{"candidates": [candidate], "usageMetadata": usage}]


_DIALECTS = {"/messages": _anthropic, "/responses": _openai, "streamGenerateContent": _google}
