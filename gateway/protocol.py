"""One connection: uvicorn's HTTP/1.1, with limits for a request's head, and refusals in the service's form.

uvicorn limits the wait for a request, not a request that comes byte by byte, and says what it refuses in
plain text. A body's limits stand in ``gateway.request``.
"""

import asyncio
import sys
import time
import uuid
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

import telemetry
from gateway.answer import problem
from gateway.log import report_call
from gateway.request import MAX_HEAD_BYTES
from telemetry.figures import REFUSALS

__all__ = ["HEAD_SECONDS", "MAX_CONNECTIONS", "Protocol"]

HEAD_SECONDS = 10.0
"""How long a request line and its headers may take, from the connection's start or from their first byte."""

MAX_CONNECTIONS = 500
"""Of one process. A system commonly allows it 1,024 files, and calls of providers and store are some too."""

UNREAD_SECONDS = 30.0
"""How long a client may leave unread what was sent to it, once that fills the buffers."""

MAX_PIECES = 2_048
"""Of one body: chunks, or what arrives at once. Each costs the event loop the same, however small it is."""

_CODES = {
    413: "body_too_large",
    431: "headers_too_large",
    501: "unsupported_transfer_encoding",
}


class _Parser(h11.Connection):
    """h11's, which bounds a head but not the number of pieces that a body comes in.

    It gives an answer's head with what follows it, so that both are one write.
    """

    _pieces = 0
    _head = b""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = 0
        elif isinstance(event, h11.Data):
            self._pieces += 1
            if self._pieces > MAX_PIECES:
                raise h11.RemoteProtocolError("a body in too many pieces", 413)
        return event

    def send(self, event: Any) -> Any:
        """The bytes of an event; those of a head come with the next one's."""
        sent = super().send(event)
        if isinstance(event, h11.Response):
            self._head = sent or b""
            return b""
        if sent is not None and self._head:
            sent, self._head = self._head + sent, b""
        return sent


class Protocol(H11Protocol):
    """A connection that may be slow, but not for ever."""

    _due: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _heard: float = 0.0

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = _Parser(h11.SERVER, MAX_HEAD_BYTES)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a head. If these are too many connections, the one silent for longest has to go."""
        super().connection_made(transport)
        self._watch_head()
        if len(self.connections) > MAX_CONNECTIONS:
            others = (other for other in self.connections if isinstance(other, Protocol))
            waiting = [other for other in others if other._waits_for_client()]
            min(waiting, key=lambda other: other._heard).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of the timers."""
        self._stop_watching()
        self._stop_waiting_for_reader()
        super().connection_lost(exc)

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """The client sends no more, but may still read: a whole request is answered first."""
        if self.conn.their_state is h11.DONE and self.conn.our_state in {h11.SEND_RESPONSE, h11.SEND_BODY}:
            self.cycle.keep_alive = False
            return True
        return None

    def pause_writing(self) -> None:
        """The client does not read as fast as it is sent to."""
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It has read."""
        self._stop_waiting_for_reader()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Take bytes, which may begin, continue or end a head."""
        super().data_received(data)
        self._watch_head()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002, uvicorn's own text
        """Refuse what is not HTTP; called while the parser's error is handled."""
        hint = getattr(sys.exception(), "error_status_hint", 400)
        code = _CODES.get(hint, "malformed_request")
        if code == "headers_too_large" and b"\n" not in self.conn.trailing_data[0]:
            code = "uri_too_long"
        self._refuse(code)

    def shutdown(self) -> None:
        """The server stops: what is not a whole request by now will not be one."""
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.close()
        elif self.flow.write_paused:
            self.transport.abort()
        else:
            super().shutdown()

    def _waits_for_client(self) -> bool:
        return self.conn.their_state in {h11.IDLE, h11.SEND_BODY} or self.flow.write_paused

    def _stop_waiting_for_reader(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _watch_head(self) -> None:
        self._heard = self.loop.time()
        if self.conn.their_state is not h11.IDLE:
            self._stop_watching()
        elif self._due is None:
            self._due = self.loop.call_later(HEAD_SECONDS, self._end_late_head)

    def _stop_watching(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _end_late_head(self) -> None:
        if self.conn.trailing_data[0]:
            self._refuse("request_timeout")
        else:
            self.timeout_keep_alive_handler()  # nothing was asked, so nothing is answered

    def _refuse(self, code: str) -> None:
        request_id = str(uuid.uuid4())
        status, headers, body = problem(code, request_id)
        telemetry.count(REFUSALS, code)
        report_call("-", status, time.perf_counter(), request_id)
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            length, reason = ("Content-Length", str(len(body))), HTTPStatus(status).phrase
            response = h11.Response(status_code=status, headers=[*headers.items(), length], reason=reason)
            for event in (response, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
