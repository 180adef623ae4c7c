"""A proxy in front of several gateways, as an operator's: each call goes to the next one that is healthy.

It keeps its connections, asks for health ten times a second (each time by a new one), and never sends a call
twice.
"""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

import httpx

CHECK_SECONDS = 0.1


class Balancer(ThreadingHTTPServer):
    """``ready``: which of the gateways were healthy when they were last asked."""

    daemon_threads = True

    def __init__(self, gateways: Sequence[str]) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.ready = dict.fromkeys(gateways, False)
        self.client = httpx.Client(timeout=60)
        self.stopped = threading.Event()
        self._next = count()

    def choose(self) -> str:
        """The next of those that are healthy; raises IndexError where none is."""
        ready = [gateway for gateway, is_ready in self.ready.items() if is_ready]
        return ready[next(self._next) % len(ready)] if ready else [][0]

    def check(self) -> None:
        """Ask for health until the end."""
        with httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0)) as http:
            while not self.stopped.wait(CHECK_SECONDS):
                for gateway in self.ready:
                    with contextlib.suppress(httpx.TransportError):
                        self.ready[gateway] = http.get(f"{gateway}/api/v1/health").status_code == 200
                        continue
                    self.ready[gateway] = False


class _Call(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Balancer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        sent = {name: self.headers[name] for name in ("X-API-Key", "Content-Type")}
        try:
            answer = self.server.client.post(self.server.choose() + self.path, content=body, headers=sent)
            status, content = answer.status_code, answer.content
        except (httpx.TransportError, IndexError) as failure:
            status, content = 502, type(failure).__name__.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def balancer(gateways: Sequence[str]) -> Iterator[Balancer]:
    """A proxy that serves."""
    made = Balancer(gateways)
    threads = [threading.Thread(target=run) for run in (made.serve_forever, made.check)]
    for thread in threads:
        thread.start()
    try:
        yield made
    finally:
        made.stopped.set()
        made.shutdown()
        for thread in threads:
            thread.join()
        made.server_close()
        made.client.close()
