"""A relay that states an extension in every MCP request of a client that cannot."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_PASSED = ("accept", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version")


@contextmanager
def stating_relay(url: str, extension: str) -> Iterator[str]:
    """Yield an address on loopback that passes every POST on to ``url``, with the extension stated."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            meta = message.setdefault("params", {}).setdefault("_meta", {})
            meta.setdefault(_CAPABILITIES, {}).setdefault("extensions", {})[extension] = {}
            passed = {name: value for name, value in self.headers.items() if name.lower() in _PASSED}
            answer = httpx.post(url, json=message, headers=passed, timeout=30)
            self.send_response(answer.status_code)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/mcp"
        finally:
            server.shutdown()
