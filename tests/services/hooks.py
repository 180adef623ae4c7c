"""A receiver of webhooks on loopback, which verifies what it gets as Standard Webhooks describes."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

from tests.services.gateway import eventually


class Delivery(NamedTuple):
    """A request: its path, its headers by names in lower case, its body as it was sent."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> dict[str, Any]:
        event: dict[str, Any] = json.loads(self.body)
        return event

    def is_signed_by(self, secret: str) -> bool:
        """Whether one of the signatures is this secret's."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.body
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        return expected in self.headers["webhook-signature"].split()


class Hooks:
    """Deliveries in the order of arrival. ``statuses``: by path, others are answered 204."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.statuses: dict[str, int] = {}
        self.deliveries: list[Delivery] = []

    def of(self, path: str) -> list[Delivery]:
        """The deliveries to a path so far."""
        return [delivery for delivery in self.deliveries if delivery.path == path]

    def wait(self, path: str, number: int = 1) -> list[Delivery]:
        """Return the deliveries to a path when there are so many."""
        eventually(lambda: len(self.of(path)) >= number)
        return self.of(path)


@contextmanager
def receiving() -> Iterator[Hooks]:
    """Run a receiver."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            hooks.deliveries.append(Delivery(self.path, headers, body))
            self.send_response(hooks.statuses.get(self.path, 204))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hooks = Hooks(f"http://127.0.0.1:{server.server_address[1]}")
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield hooks
    finally:
        server.shutdown()
        server.server_close()
