"""uvicorn's parser of requests by llhttp, with limits, and without what proxies may read in another way."""

from __future__ import annotations

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from brskills_server.gateway.body import MAX_BODY_BYTES, InvalidRequest
from brskills_server.gateway.head import MAX_HEAD_BYTES, MAX_HEADERS, MAX_TARGET_BYTES, check_head

MAX_PIECES = 2_048
"""Packets and chunks of one head, or of one body; each costs the event loop the same."""

MAX_PIPELINED = 128
"""Requests of a connection that wait for their answers, each an object of some KB."""


class RequestParser(HttpToolsProtocol):
    """The requests of one connection.

    ``_unanswered``: how many with a complete head have no answer yet. ``_in_body``: the last of these is
    incomplete. ``_received``: bytes and ``_pieces`` since the last request was complete.
    """

    _unanswered = 0
    _in_head = _in_body = False
    _received = _pieces = _head_bytes = _head_lines = 0

    def parse(self, data: bytes) -> None:
        """Process bytes. Raise `InvalidRequest`; nothing can be parsed afterwards."""
        self._received += len(data)
        try:
            self._count_piece()
            while data:
                data = self._feed(data)
        except httptools.HttpParserError as error:
            cause = error.__context__
            raise (
                cause if isinstance(cause, InvalidRequest) else InvalidRequest("malformed_request")
            ) from None
        # The parser reports no event for an incomplete header or trailer, and keeps it.
        if self._in_body and self._received > MAX_HEAD_BYTES + 2 * MAX_BODY_BYTES:
            raise InvalidRequest("body_too_large")
        if not self._in_body and self._received > MAX_HEAD_BYTES:
            raise InvalidRequest("headers_too_large")

    def _feed(self, data: bytes) -> bytes:
        """Return what is still to be parsed."""
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:  # llhttp would take the body for the next request
            return self._head_without_upgrade() + data[upgrade.args[0] :]
        return b""

    def _head_without_upgrade(self) -> bytes:
        version = self.parser.get_http_version().encode()
        lines = [b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, version)]
        lines += [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        return b"\r\n".join([*lines, b"", b""])

    def _count_piece(self) -> None:
        self._pieces += 1
        if self._pieces > MAX_PIECES:
            raise InvalidRequest("body_too_large" if self._in_body else "headers_too_large")

    def on_message_begin(self) -> None:
        """Begin a request."""
        if self._unanswered >= MAX_PIPELINED:
            raise InvalidRequest("malformed_request")
        super().on_message_begin()
        self._in_head = True
        self._head_bytes = self._head_lines = 0

    def on_url(self, url: bytes) -> None:
        """Add to the target."""
        super().on_url(url)
        if len(self.url) > MAX_TARGET_BYTES:
            raise InvalidRequest("uri_too_long")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header; trailers are only counted."""
        self._head_lines += 1
        self._head_bytes += len(name) + len(value) + len(": \r\n")
        if self._head_lines > MAX_HEADERS or self._head_bytes + len(self.url) > MAX_HEAD_BYTES:
            raise InvalidRequest("headers_too_large")
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Let the application begin, unless this head comes again without an upgrade."""
        check_head(self.parser.get_method(), self.url, self.parser.get_http_version(), self.headers)
        self._in_head = False
        if not self.parser.should_upgrade():
            self.scope["target"] = self.url  # type: ignore[typeddict-unknown-key]
            super().on_headers_complete()
            self._unanswered += 1
            self._in_body = True
            self._pieces = self._head_lines = self._head_bytes = 0

    def on_body(self, body: bytes) -> None:
        """Add to the body."""
        self._count_piece()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End the request."""
        if self._in_body:
            super().on_message_complete()
            self._in_body = False
            self._received = self._pieces = 0
