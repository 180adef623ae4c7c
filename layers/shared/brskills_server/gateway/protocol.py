"""uvicorn's HTTP/1.1 with limits for slow and many clients; what it cannot read, the application refuses."""

from __future__ import annotations

import asyncio
import resource
from collections import OrderedDict
from itertools import chain
from weakref import WeakKeyDictionary

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from brskills_server.gateway.body import MAX_BODY_BYTES, InvalidRequest
from brskills_server.gateway.head import MAX_HEAD_BYTES, MAX_TARGET_BYTES
from brskills_server.gateway.log import report_connection_issue

HEAD_SECONDS = 10.0
"""For request line and headers, from the connection's start or from their first byte."""

MAX_CONNECTIONS = 500
"""Of one process, each with a body of ``MAX_BODY_BYTES`` at most."""

MAX_PIPELINED = 127
"""Requests of a connection that wait behind the one that is answered, each an object of some KB."""

MAX_REQUEST_BYTES = MAX_HEAD_BYTES + 2 * MAX_BODY_BYTES
"""With what chunks add to a body; the parser keeps an incomplete trailer, of which it reports nothing."""

_UNREADABLE = b"PURGE / HTTP/1.1\r\nHost:\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
"""What the application gets in place of a head that cannot be read; all that follows is its body."""

_BY_SILENCE: WeakKeyDictionary[ServerState, OrderedDict[Protocol, None]] = WeakKeyDictionary()
"""The connections of each server, in the order of their last head, or else of their start."""


class Protocol(HttpToolsProtocol):
    """A connection. A scope has its ``target`` as sent, and a problem's code once it is ``refused``."""

    url = b""
    received = 0  # bytes since the last request was complete
    _is_refused = False
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a head."""
        super().connection_made(transport)
        self.parser = _Parser(self)
        self._time_head()
        self._by_silence = _BY_SILENCE.setdefault(self.server_state, OrderedDict())
        _make_room(self._by_silence)
        self._by_silence[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._by_silence.pop(self, None)
        self._time_head(is_awaited=False)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse bytes; after a refusal they are a body, which the application discards."""
        if self._is_refused:
            self.on_body(data)
        else:
            super().data_received(data)
            self._time_head(is_awaited=self.cycle is None or self.cycle.response_complete)

    def eof_received(self) -> bool:  # type: ignore[override]
        """Answer what a client has asked that sends no more."""
        if self._is_refused:
            self.on_message_complete()
        if self.has_work():
            self.cycle.keep_alive = False
        return self.has_work()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """Refuse what the parser does not understand."""
        self.refuse("malformed_request")

    def refuse(self, code: str) -> None:
        """Let the application answer with a problem, after its answers to the requests before."""
        self._is_refused = True
        if not self.has_body():
            self.parser = httptools.HttpRequestParser(self)
            self.parser.feed_data(_UNREADABLE)
        self.cycle.scope["refused"] = code  # type: ignore[typeddict-unknown-key]
        self.cycle.message_event.set()

    def shutdown(self) -> None:
        """Close the connection after its answers; what is incomplete is not awaited."""
        if not self.has_work():
            self.transport.close()
        super().shutdown()

    def on_message_begin(self) -> None:
        """Begin a request."""
        if len(self.pipeline) >= MAX_PIPELINED and not self._is_refused:
            raise InvalidRequest("malformed_request")
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Let the application begin, unless this head comes again."""
        if not self.parser.should_upgrade():
            self.scope["target"] = self.url  # type: ignore[typeddict-unknown-key]
            super().on_headers_complete()
            self.headers = []  # of trailers, which the application does not get
            self._time_head(is_awaited=False)
            self._by_silence.move_to_end(self)

    def on_message_complete(self) -> None:
        """End the request."""
        if not self.parser.should_upgrade():
            super().on_message_complete()
            self.received = 0

    def has_body(self) -> bool:
        """Return whether the last request waits for the rest of its body."""
        return self.cycle is not None and self.cycle.more_body and not self.cycle.response_complete

    def has_work(self) -> bool:
        """Return whether a complete request waits for its answer."""
        is_open = self.cycle is not None and not self.cycle.response_complete
        return is_open and (not self.cycle.more_body or bool(self.pipeline))

    def _time_head(self, *, is_awaited: bool = True) -> None:
        if not is_awaited and self._head_timer:
            self._head_timer.cancel()
            self._head_timer = None
        elif is_awaited and not self._head_timer:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._end_late_head)

    def _end_late_head(self) -> None:
        if self.received and not self.transport.is_closing():
            self.refuse("request_timeout")
        else:
            self.transport.close()  # nothing was received, so nothing is answered


def max_connections() -> int:
    """Return how many connections leave the process half of its descriptors, for store and providers."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if limit == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, limit // 2)


def _make_room(by_silence: OrderedDict[Protocol, None]) -> None:
    """If there are too many, abort the first without a head, or else the first that awaits no answer."""
    if len(by_silence) < max_connections():
        return
    strangers = (one for one in by_silence if one.cycle is None)
    idle = (one for one in by_silence if not one.has_work() or one.flow.write_paused)
    if silent := next(chain(strangers, idle), None):
        silent.transport.abort()
        report_connection_issue("connection ended: too many")


class _Parser(httptools.HttpRequestParser):
    """llhttp with limits of size; it would take the body of a request to upgrade for the next request."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__(protocol)
        self._protocol = protocol

    def feed_data(self, data: bytes) -> None:  # type: ignore[override]
        """Parse bytes, in pieces after each of which a request that is too large ends."""
        protocol = self._protocol
        for start in range(0, len(data), MAX_HEAD_BYTES):
            piece = data[start : start + MAX_HEAD_BYTES]
            protocol.received += len(piece)
            self._feed(piece)
            if protocol.received > (MAX_REQUEST_BYTES if protocol.has_body() else MAX_HEAD_BYTES):
                protocol.refuse(self._excess())
                break

    def _feed(self, data: bytes) -> None:
        try:
            super().feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            if self.get_method() == b"CONNECT":
                raise httptools.HttpParserInvalidMethodError from None
            version = self.get_http_version().encode()
            lines = [b"%b %b HTTP/%b" % (self.get_method(), self._protocol.url, version)]
            lines += [b"%b: %b" % header for header in self._protocol.headers if header[0] != b"upgrade"]
            self._feed(b"\r\n".join([*lines, b"", b""]) + data[upgrade.args[0] :])

    def _excess(self) -> str:
        if self._protocol.has_body():
            return "body_too_large"
        return "uri_too_long" if len(self._protocol.url) > MAX_TARGET_BYTES else "headers_too_large"
