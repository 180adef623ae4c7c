"""One connection: uvicorn's HTTP/1.1, with limits for slow or large heads, and errors as problems."""

from __future__ import annotations

import asyncio
import re
import sys
import time
import uuid
from collections import OrderedDict
from http import HTTPStatus
from typing import Any
from weakref import WeakKeyDictionary

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from brskills_server import telemetry
from brskills_server.gateway.answer import problem
from brskills_server.gateway.body import MAX_HEAD_BYTES, MAX_HEADERS, MAX_TARGET_BYTES
from brskills_server.gateway.listener import LOOP, max_connections
from brskills_server.gateway.log import log_call, report_connection_issue
from brskills_server.telemetry.figures import REFUSALS

IDLE_SECONDS = 75
"""Between two calls on a connection; longer than reverse proxies keep idle connections."""

HEAD_SECONDS = 10.0
"""For request line and headers, from the connection's start or from their first byte."""

MAX_CONNECTIONS = 500
"""Of one process, each with a body of ``MAX_BODY_BYTES`` at most; fewer if its descriptors are fewer."""

UNREAD_SECONDS = 30.0
"""For which a client may leave an answer unread, once it fills the buffers or was the last."""

MAX_PIECES = 2_048
"""Chunks, or packets, of one head or of one body; each costs the event loop the same."""

_CODES = {413: "body_too_large", 431: "headers_too_large", 501: "unsupported_transfer_encoding"}

_BY_SILENCE: WeakKeyDictionary[ServerState, OrderedDict[Protocol, None]] = WeakKeyDictionary()
"""The connections of each server, the one that has been silent for longest first."""

_END_OF_HEAD = re.compile(rb"\n\r?\n")


class _Parser(h11.Connection):
    """h11's parser with limits for heads and pieces; it joins an answer's head and body into one write."""

    _pieces = 0
    _head = b""

    def next_event(self) -> Any:
        """As h11's. Raise ``RemoteProtocolError`` also where a limit is exceeded."""
        if self.their_state is h11.IDLE:
            self._check_head()
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = 0
        elif isinstance(event, h11.Data) or (event is h11.NEED_DATA and self.their_state is h11.IDLE):
            self._pieces += 1
            if self._pieces > MAX_PIECES:
                raise h11.RemoteProtocolError("too many pieces", 413 if isinstance(event, h11.Data) else 431)
        return event

    def _check_head(self) -> None:
        # Before it is parsed, which takes as long as the head has lines and bytes.
        pending, _ = self.trailing_data
        end = _END_OF_HEAD.search(pending, 0, MAX_HEAD_BYTES)
        size = end.end() if end else len(pending)
        lines = pending.count(b"\n", 0, size)
        if size > MAX_HEAD_BYTES or lines > MAX_HEADERS + 2:  # the first line, and the empty one
            raise h11.RemoteProtocolError("a head too large", 431)

    def send(self, event: Any) -> Any:
        """Return the bytes of an event; those of a head come with the next event's."""
        sent = super().send(event)
        if isinstance(event, h11.Response):
            self._head = sent or b""
            return b""
        if sent is not None and self._head:
            sent, self._head = self._head + sent, b""
        return sent


class Protocol(H11Protocol):
    """A connection with limits for slow clients."""

    _head_timer: asyncio.TimerHandle | None = None
    _unread_timer: asyncio.TimerHandle | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = _Parser(h11.SERVER, MAX_HEAD_BYTES)
        self._by_silence = _BY_SILENCE.setdefault(self.server_state, OrderedDict())

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a head. If there are too many connections, abort the one that is silent for longest."""
        super().connection_made(transport)
        self._watch_head()
        if len(self._by_silence) > min(MAX_CONNECTIONS, max_connections()):
            silent = next(other for other in self._by_silence if other._waits_for_client())
            del self._by_silence[silent]  # at once: the next connection of this round aborts another one
            silent.transport.abort()
            report_connection_issue("connection ended: too many")

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        self._by_silence.pop(self, None)
        self._stop_head_timer()
        self._stop_unread_timer()
        super().connection_lost(exc)

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """Answer a complete request of a client that sends no more but may still read."""
        if self.conn.their_state is h11.DONE and self.conn.our_state in {h11.SEND_RESPONSE, h11.SEND_BODY}:
            self.cycle.keep_alive = False
            return True
        return None

    def pause_writing(self) -> None:
        """Limit the time of a client that reads too slowly."""
        super().pause_writing()
        self._start_unread_timer()

    def resume_writing(self) -> None:
        """Stop that limit."""
        if not self.transport.is_closing():
            self._stop_unread_timer()
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Continue with the next request, or limit the time for reading the last answer."""
        super().on_response_complete()
        self._limit_closing()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection."""
        super().timeout_keep_alive_handler()
        self._limit_closing()

    def data_received(self, data: bytes) -> None:
        """Process bytes, which may begin, continue or end a head."""
        super().data_received(data)
        self._watch_head()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002, uvicorn's text
        """Answer invalid HTTP; called while the parser's error is handled."""
        hint = getattr(sys.exception(), "error_status_hint", 400)
        code = _CODES.get(hint, "malformed_request")
        if code == "headers_too_large" and b"\n" not in self.conn.trailing_data[0][:MAX_TARGET_BYTES]:
            code = "uri_too_long"
        self._refuse(code)

    def shutdown(self) -> None:
        """Close the connection when the server stops; an incomplete request is not awaited."""
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.close()
        elif self.flow.write_paused:
            self.transport.abort()
        else:
            super().shutdown()

    def _waits_for_client(self) -> bool:
        waits_for_bytes = self.conn.their_state in {h11.IDLE, h11.SEND_BODY}
        return waits_for_bytes or self.flow.write_paused or self.transport.is_closing()

    def _limit_closing(self) -> None:
        # asyncio closes a connection only when everything written to it is sent.
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self._start_unread_timer()

    def _start_unread_timer(self) -> None:
        if self._unread_timer is None:
            self._unread_timer = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def _stop_unread_timer(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def _watch_head(self) -> None:
        self._by_silence[self] = None
        self._by_silence.move_to_end(self)
        if self.conn.their_state is not h11.IDLE:
            self._stop_head_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._end_late_head)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _end_late_head(self) -> None:
        if self.transport.is_closing():
            return
        if self.conn.trailing_data[0]:
            self._refuse("request_timeout")
        else:
            self.timeout_keep_alive_handler()  # nothing was received, so nothing is answered

    def _refuse(self, code: str) -> None:
        request_id = str(uuid.uuid4())
        status, headers, body = problem(code, request_id)
        telemetry.count(REFUSALS, code)
        log_call("-", status, time.perf_counter(), request_id)
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            length, reason = ("Content-Length", str(len(body))), HTTPStatus(status).phrase
            response = h11.Response(status_code=status, headers=[*headers.items(), length], reason=reason)
            for event in (response, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._limit_closing()


def server_config(application: Any, **options: Any) -> Config:
    """Return uvicorn's configuration of a server with this protocol."""
    return Config(
        application,
        http=Protocol,
        loop=LOOP,
        timeout_keep_alive=IDLE_SECONDS,
        proxy_headers=False,  # TRUSTED_PROXIES decides which forwarding headers are trusted
        access_log=False,
        ws="none",
        **options,
    )
