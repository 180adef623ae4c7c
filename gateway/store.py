"""The embedded store: moto's DynamoDB in one process of its own, one request at a time.

Run as ``python -m gateway.store PORT [ADDRESS]``. It ends with the process that started it.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

__all__ = ["serve"]


class _Serial:
    """Runs one request at a time: moto checks a condition and writes in two steps, DynamoDB in one."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self._application = application
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        with self._lock:
            return list(self._application(environ, start_response))


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open between calls

    def log(self, *_: Any) -> None:
        """Print nothing: the gateway prints a line for each call."""


def serve(port: int, address: str = "127.0.0.1") -> None:
    """Serve until the parent process ends. Containers need another ``address`` than loopback."""
    application = _Serial(DomainDispatcherApplication(create_backend_app))
    server = make_server(address, port, application, threaded=True, request_handler=_Quiet)
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


if __name__ == "__main__":
    serve(int(sys.argv[1]), *sys.argv[2:])
