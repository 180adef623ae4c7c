"""A local program that waits for the redirect, and pages of other sites."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Callback:
    """``asked``: what a browser came for; ``pages``: what it finds there; ``moved``: where it is sent."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: list[str] = []
        self.pages: dict[str, str] = {}
        self.moved: dict[str, str] = {}

    def address(self, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}/cb"

    def codes(self) -> list[str]:
        return [path for path in self.asked if path.startswith("/cb?")]


@contextlib.contextmanager
def callback() -> Iterator[Callback]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            path = self.path.partition("?")[0]
            body = found.pages.get(path, "<!doctype html><title>done</title><p>done</p>").encode()
            self.send_response(302 if path in found.moved else 200)
            if path in found.moved:
                self.send_header("Location", found.moved[path])
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found = Callback(server.server_port)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()
