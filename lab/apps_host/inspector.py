"""MCP Inspector in its web form, which shows cards, and a relay that sends a key in its place."""

from __future__ import annotations

import base64
import json
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import httpx

from tests.services.gateway import free_port, running

_PROGRAM = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
_TOKEN = "0" * 48  # of this process alone
_PASSED = ("accept", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id")
_RETURNED = ("Allow", "Content-Type", "Mcp-Session-Id")

Address = Callable[[str, Mapping[str, object]], str]
"""A tool and its arguments → the address at which the Inspector calls it and shows its card."""


@contextmanager
def inspector(packages: Path, home: Path, env: Mapping[str, str], server: str) -> Iterator[Address]:
    """Yield the addresses of an Inspector; ``home``: a folder for what it stores."""
    port = free_port()
    ports = {"CLIENT_PORT": str(port), "MCP_SANDBOX_PORT": str(free_port())}
    own = {"HOME": str(home), "HOST": "127.0.0.1", "MCP_INSPECTOR_API_TOKEN": _TOKEN, **ports}
    process = subprocess.Popen(
        ["node", packages / _PROGRAM, "--web"],
        env={**env, **own, "MCP_AUTO_OPEN_ENABLED": "false"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def address(tool: str, arguments: Mapping[str, object]) -> str:
        given = base64.urlsafe_b64encode(json.dumps(arguments).encode()).decode().rstrip("=")
        call = {"openApp": tool, "appArgs": given, "autoConnect": _TOKEN, "autoOpen": _TOKEN}
        return f"http://127.0.0.1:{port}/?{urlencode({'serverUrl': server, 'transport': 'http', **call})}"

    with running(process, f"http://127.0.0.1:{port}/"):
        yield address


@contextmanager
def keyed_relay(url: str, key: str) -> Iterator[str]:
    """Yield an address on loopback that passes every request on to ``url``, with the key."""

    class Handler(BaseHTTPRequestHandler):
        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: value for name, value in self.headers.items() if name.lower() in _PASSED}
            answer = httpx.request(
                self.command, url, content=body, headers={**headers, "X-API-Key": key}, timeout=60
            )
            self.send_response(answer.status_code)
            for name in _RETURNED:
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        do_GET = do_POST = do_DELETE = _pass_on

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/mcp"
        finally:
            server.shutdown()
