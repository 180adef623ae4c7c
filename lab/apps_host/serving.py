"""The pages of the host and the packages that it imports, on loopback.

The host is at ``localhost`` and the sandbox of its cards at ``127.0.0.1``, which are two origins.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

PAGES = Path(__file__).parent
# That of MCP Apps for a card that declares no domains.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
_PACKAGES = "/packages/"


class _Pages(SimpleHTTPRequestHandler):
    """``packages``: the folder ``node_modules``."""

    def __init__(self, *given: object, packages: Path) -> None:
        self._packages = packages
        super().__init__(*given)  # type: ignore[arg-type]

    def translate_path(self, path: str) -> str:
        path = urlsplit(path).path
        if path.startswith(_PACKAGES):
            return str(self._packages / path.removeprefix(_PACKAGES))
        return str(PAGES / path.rpartition("/")[2])

    def end_headers(self) -> None:
        if self.path == "/sandbox.html":
            self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serve(packages: Path) -> Iterator[tuple[str, str]]:
    """Yield the addresses of the host and of the sandbox."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Pages, packages=packages)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            port = server.server_port
            yield f"http://localhost:{port}/host.html", f"http://127.0.0.1:{port}/sandbox.html"
        finally:
            server.shutdown()
