"""A fake of the federal share on a loopback socket: months of zips over WebDAV, with faults on request.

It serves a folder with ``PROPFIND`` and ``GET``, with ``Range`` and ``If-Range``, as a Nextcloud does.
"""

import base64
import gzip
import hashlib
import itertools
import re
import socket
import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, unquote, urlsplit
from xml.sax.saxutils import escape

TOKEN = "aTokenOfTheseTests"
PAGE = b"<!DOCTYPE html><html><body>Manuten\xc3\xa7\xc3\xa3o</body></html>"
_OPEN = f"/public.php/dav/files/{TOKEN}"
_BY_USER = "/public.php/webdav"
_USER = "Basic " + base64.b64encode(f"{TOKEN}:".encode()).decode()


@dataclass(frozen=True)
class Fault:
    """What is wrong with one answer, of a file or a listing. All positions are bytes of its body."""

    status: int | None = None
    retry_after: str | None = None
    redirect: str | None = None
    page: bool = False  # an HTML page, with 200
    body: bytes | None = None  # another one
    endless: bool = False
    stall_after: int | None = None
    break_after: int | None = None
    trickle: float | None = None  # seconds between two bytes
    becomes: bytes | None = None  # the file's content as soon as this answer has begun
    ignores_range: bool = False
    skips: int = 0  # bytes that a range begins late
    announces: int = 0  # added to the true Content-Length
    chunked: bool = False  # without a Content-Length
    compressed: bool = False
    etag: str | None = None


class FakeShare:
    """Serves ``folder`` until the ``with`` block ends.

    ``faults``: of the next answers, by the file's or month's name (empty for the top folder), then those in
    ``always``. ``listed``: false sizes in ``PROPFIND``. ``most``: connections at once; others are closed.
    ``versions``: ``etag``, ``date`` or nothing. ``heard`` is called with the name of each request. Recorded:
    ``most_seen``, ``requests`` (method, name, Range), ``sent`` (bytes by name), ``agents``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.faults: defaultdict[str, list[Fault]] = defaultdict(list)
        self.always: dict[str, Fault] = {}
        self.listed: dict[str, int] = {}
        self.versions = "etag"
        self.heard: Callable[[str], None] = lambda _: None
        self.most: int | None = None
        self.agents: set[str] = set()
        self.most_seen = 0
        self.requests: list[tuple[str, str, str | None]] = []
        self.sent: defaultdict[str, int] = defaultdict(int)
        self.ended = threading.Event()
        self._failures: list[BaseException] = []
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._server = _Server(self)
        self.host = f"127.0.0.1:{self._server.server_port}"
        self.page = f"http://{self.host}/index.php/s/{TOKEN}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._server.shutdown()
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._server.server_close()
        assert not self._failures, self._failures

    def lets_in(self, connection: socket.socket) -> bool:
        with self._lock:
            self._sockets = [one for one in self._sockets if not closed(one)]
            self.most_seen = max(self.most_seen, len(self._sockets) + 1)
            if self.most is not None and len(self._sockets) >= self.most:
                return False
            self._sockets.append(connection)
            return True

    def failed(self, error: BaseException | None) -> None:
        if error and not isinstance(error, OSError):  # that one is a client which has gone
            self._failures.append(error)

    def noted(self, method: str, name: str, range_: str | None) -> Fault:
        with self._lock:
            self.requests.append((method, name, range_))
            self.heard(name)
            return self.faults[name].pop(0) if self.faults[name] else self.always.get(name, Fault())

    def listing(self, folder: Path, at: str) -> bytes:
        inside = sorted(folder.iterdir()) if folder.is_dir() else []
        entries = [self._entry(at, folder), *(self._entry(f"{at}{path.name}", path) for path in inside)]
        return (
            f'<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">{"".join(entries)}</d:multistatus>'.encode()
        )

    def version(self, path: Path) -> str:
        """Return a strong entity tag as Nextcloud's look, or a date."""
        if self.versions == "date":
            return formatdate(path.stat().st_mtime, usegmt=True)
        return f'"{hashlib.sha256(path.read_bytes()).hexdigest()[:32]}"'

    def _entry(self, href: str, path: Path) -> str:
        if path.is_dir():
            found = "<d:resourcetype><d:collection/></d:resourcetype><d:getetag>&quot;f&quot;</d:getetag>"
            absent, href = "<d:getcontentlength/>", href.rstrip("/") + "/"
        else:
            size, absent = self.listed.get(path.name, path.stat().st_size), "<d:quota/>"
            found = f"<d:resourcetype/><d:getcontentlength>{size}</d:getcontentlength>"
            if self.versions == "etag":
                found += f"<d:getetag>{escape(self.version(path))}</d:getetag>"
            if self.versions == "date":
                found += f"<d:getlastmodified>{self.version(path)}</d:getlastmodified>"
        return (
            f"<d:response><d:href>{quote(href)}</d:href>"
            f"<d:propstat><d:prop>{found}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
            f"<d:propstat><d:prop>{absent}</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"
            "</d:response>"
        )


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # ``server_close`` waits for them
    request_queue_size = 64

    def __init__(self, share: FakeShare) -> None:
        self.share = share
        super().__init__(("127.0.0.1", 0), _Handler)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        return self.share.lets_in(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        self.share.failed(sys.exception())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer's first bytes are one packet: a second would wait for the first's receipt
    server: _Server

    def do_PROPFIND(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self._path()
        if path is None:
            return
        share = self.server.share
        fault = share.noted("PROPFIND", str(path.relative_to(share.folder)).replace(".", ""), None)
        if not path.is_dir():
            self._answer(404, PAGE, {}, fault, "")
            return
        self._answer(207, share.listing(path, unquote(urlsplit(self.path).path)), {}, fault, "")

    def do_GET(self) -> None:
        path = self._path()
        if path is None:
            return
        share = self.server.share
        fault = share.noted(self.command, path.name, self.headers["Range"])
        if not path.is_file():
            self._answer(404, PAGE, {}, fault, path.name)
            return
        content, version = path.read_bytes(), share.version(path)
        if fault.becomes is not None:
            path.write_bytes(fault.becomes)
        headers = {"Content-Type": "application/zip", "Accept-Ranges": "bytes"}
        if share.versions:
            headers["ETag" if share.versions == "etag" else "Last-Modified"] = fault.etag or version
        first = self._first(version, fault)
        if first is None:
            self._answer(200, content, headers, fault, path.name)
        elif first >= len(content):
            self._answer(416, b"", headers, fault, path.name)
        else:
            first += fault.skips
            headers["Content-Range"] = f"bytes {first}-{len(content) - 1}/{len(content)}"
            self._answer(206, content[first:], headers, fault, path.name)

    def _path(self) -> Path | None:
        """Return the path of a request; answer it and return `None` if it is not allowed."""
        path = unquote(urlsplit(self.path).path)
        self.server.share.agents.add(self.headers["User-Agent"] or "")
        asked = (self.headers["Authorization"], self.headers["X-Requested-With"])
        if path.startswith(_BY_USER) and asked != (_USER, "XMLHttpRequest"):
            self._answer(401, b"", {"WWW-Authenticate": 'Basic realm="x"'}, Fault(), "")
            return None
        for base in (_OPEN, _BY_USER):
            if path.startswith(base):
                return self.server.share.folder / path.removeprefix(base).strip("/")
        self._answer(404, PAGE, {}, Fault(), "")
        return None

    def _first(self, version: str, fault: Fault) -> int | None:
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers["Range"] or "")
        assert asked is None or self.headers["If-Range"], "a range of no version"
        if asked is None or fault.ignores_range or self.headers["If-Range"] not in {None, version}:
            return None
        return int(asked[1])

    def _answer(self, status: int, body: bytes, headers: dict[str, str], fault: Fault, name: str) -> None:
        if fault.page:
            status, body, headers = 200, PAGE, {"Content-Type": "text/html; charset=UTF-8"}
        if fault.redirect is not None:
            status, body, headers = 302, b"", {"Location": fault.redirect}
        if fault.status is not None:
            status, body, headers = fault.status, PAGE, {}
        if fault.body is not None:
            body = fault.body
        if fault.compressed:
            body, headers = gzip.compress(body), headers | {"Content-Encoding": "gzip"}
        if fault.retry_after is not None:
            headers = headers | {"Retry-After": fault.retry_after}
        chunked = fault.chunked or fault.endless
        self.send_response(status)
        for header, value in headers.items():
            self.send_header(header, value)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(len(body) + fault.announces))
        self.end_headers()
        self._send(body, fault, name, chunked)

    def _send(self, body: bytes, fault: Fault, name: str, chunked: bool) -> None:
        ends = [one for one in (fault.stall_after, fault.break_after) if one is not None]
        sent = body[: min(ends)] if ends else body
        if fault.trickle:
            self._trickle(sent, fault.trickle)
            sent = b""
        for piece in itertools.repeat(b" " * 65536) if fault.endless else [sent] if sent else []:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
        self.wfile.flush()
        self.server.share.sent[name] += len(sent)
        if fault.stall_after is not None:
            while not closed(self.connection) and not self.server.share.ended.wait(0.005):
                pass
        if ends or fault.announces:
            self.close_connection = True
            with suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)
        elif chunked:
            self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _trickle(self, body: bytes, seconds: float) -> None:
        """Send a byte at a time until the client is gone."""
        for place in range(len(body)):
            if closed(self.connection) or self.server.share.ended.wait(seconds):
                return
            self.wfile.write(body[place : place + 1])
            self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def closed(connection: socket.socket) -> bool:
    """Return whether the client has closed an idle connection."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
