"""Servers that a smoke test may meet instead of the service."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TRICKLE_SECONDS = 0.05


class Stub:
    """A server that answers every request alike; ``asked`` is what it was sent."""

    def __init__(self, status: int, content: str, media_type: str) -> None:
        self.status, self.content, self.media_type = status, content, media_type
        self.asked: list[tuple[str, str | None]] = []


@contextlib.contextmanager
def stub(status: int, content: str, media_type: str) -> Iterator[tuple[str, Stub]]:
    """Yield the address of a server with this answer, and its record."""
    served = Stub(status, content, media_type)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append((self.path, self.headers.get("X-API-Key")))
            self.send_response(served.status)
            self.send_header("Content-Type", served.media_type)
            self.send_header("Content-Length", str(len(served.content)))
            self.end_headers()
            self.wfile.write(served.content.encode())

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", served
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def endless(beginning: bytes) -> Iterator[str]:
    """Yield the address of a server that sends this, and then a byte at a time if there was any."""
    ended = threading.Event()

    def serve() -> None:
        with contextlib.suppress(OSError), listening.accept()[0] as connection:
            connection.sendall(beginning)
            while not ended.wait(TRICKLE_SECONDS):
                connection.sendall(beginning and b"x")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            ended.set()
            thread.join()
