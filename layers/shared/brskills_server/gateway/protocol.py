"""One connection: uvicorn's HTTP/1.1, with limits for slow clients, and errors as problems."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any
from weakref import WeakKeyDictionary

from uvicorn.server import ServerState

from brskills_server.gateway.body import InvalidRequest
from brskills_server.gateway.coalescing_transport import CoalescingTransport
from brskills_server.gateway.discarder import Discarder
from brskills_server.gateway.listener import max_connections
from brskills_server.gateway.log import report_connection_issue
from brskills_server.gateway.refusal import refusal
from brskills_server.gateway.request_parser import RequestParser

HEAD_SECONDS = 10.0
"""For request line and headers, from the connection's start or from their first byte."""

MAX_CONNECTIONS = 500
"""Of one process, each with a body of ``MAX_BODY_BYTES`` at most; fewer if its descriptors are fewer."""

UNREAD_SECONDS = 30.0
"""For which a client may leave an answer unread, once it fills the buffers or was the last."""

_BY_SILENCE: WeakKeyDictionary[ServerState, OrderedDict[Protocol, None]] = WeakKeyDictionary()
"""The connections of each server, the one that has been silent for longest first."""


class Protocol(RequestParser):
    """A connection with limits for slow clients."""

    _head_timer: asyncio.TimerHandle | None = None
    _unread_timer: asyncio.TimerHandle | None = None
    _refused = ""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._by_silence = _BY_SILENCE.setdefault(self.server_state, OrderedDict())

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a head. If there are too many connections, abort the one that is silent for longest."""
        super().connection_made(CoalescingTransport(transport, self.loop))  # type: ignore[arg-type]
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

    def data_received(self, data: bytes) -> None:
        """Process bytes, which may begin, continue or end requests."""
        self._unset_keepalive_if_required()
        if not self._refused:
            try:
                self.parse(data)
            except InvalidRequest as error:
                self._refuse(error.code)
        self._watch_head()

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """Answer a complete request of a client that sends no more but may still read."""
        if self._has_work():
            self.cycle.keep_alive = False
            return True
        self.transport.close()  # writes what is pending, as the loop's own closing would not
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
        self._unanswered -= 1
        if self._refused and not self._unanswered and not self.transport.is_closing():
            self._end_with_problem(self._refused)
        self._limit_closing()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection."""
        super().timeout_keep_alive_handler()
        self._limit_closing()

    def shutdown(self) -> None:
        """Close the connection when the server stops; an incomplete request is not awaited."""
        if self._in_body:
            self.transport.close()
        elif self.flow.write_paused:
            self.transport.abort()
        else:
            super().shutdown()

    def _has_work(self) -> bool:
        """Whether a complete request waits for its answer."""
        return self._unanswered > self._in_body

    def _waits_for_client(self) -> bool:
        return not self._has_work() or self.flow.write_paused or self.transport.is_closing()

    def _limit_closing(self) -> None:
        # A loop closes a connection only when everything written to it is sent.
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
        if self._unanswered:
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
        if self._received:
            self._refuse("request_timeout")
        else:
            self.timeout_keep_alive_handler()  # nothing was received, so nothing is answered

    def _refuse(self, code: str) -> None:
        """End the connection with a problem, after the answers of the requests before."""
        if self._has_work():
            self._refused = code
            if self._in_body:
                self.pipeline.popleft()  # never complete
                self._unanswered -= 1
                self._in_body = False
        else:
            self._end_with_problem(code)

    def _end_with_problem(self, code: str) -> None:
        answer = refusal(code)
        if not self._unanswered or not self.cycle.response_started:
            self.transport.write(answer)
        if self._unanswered:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.flow.resume_reading()
        self.transport.set_protocol(Discarder(self.loop, self._close, self.connection_lost))
        self.transport.write_eof()

    def _close(self) -> None:
        self.transport.close()
        self._limit_closing()
