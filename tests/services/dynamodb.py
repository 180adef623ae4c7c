"""A DynamoDB for tests and for `sam local`: moto's, in a separate process, one request at a time.

Run as ``python -m tests.services.dynamodb PORT [ADDRESS]``. It ends with the process that started it. It
answers programs of this machine and its containers alone: no web page can reach it, and nothing of moto's
but DynamoDB.
"""

import contextlib
import copy
import io
import os
import sys
import threading
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any

from moto.dynamodb.models.table import Table
from moto.moto_server.werkzeug_app import create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

from brskills_server.gateway.exit_with_parent import exit_with_parent

_HOSTS = {"localhost", "host.docker.internal", "host.containers.internal"}


class _Serial:
    """Runs one request at a time: moto checks a condition and writes in two steps, DynamoDB in one."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self._application = application
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if not _is_for_us(environ):
            start_response("403 Forbidden", [("Content-Length", "0"), ("Connection", "close")])
            return []
        # Read before the lock is taken: a slow sender holds nobody up.
        environ["wsgi.input"] = io.BytesIO(
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        )
        with self._lock:
            _copies.clear()
            return list(self._application(environ, start_response))


_copies: dict[int, dict[str, Any]] = {}


def _copy_once(table: Table, memo: dict[int, Any]) -> Table:
    """Copy a table once a request: for a transaction moto copies it before each of a hundred writes."""
    if id(table) not in _copies:
        _copies[id(table)] = copy.deepcopy(vars(table), memo)
    copied: Table = object.__new__(Table)
    vars(copied).update(_copies[id(table)])
    return copied


Table.__deepcopy__ = _copy_once  # type: ignore[attr-defined]


def _is_for_us(environ: dict[str, Any]) -> bool:
    """Whether this is a call of DynamoDB's API, and not by a web page."""
    return (
        environ["REQUEST_METHOD"] == "POST"
        and environ["PATH_INFO"] == "/"
        and environ.get("HTTP_X_AMZ_TARGET", "").startswith("DynamoDB_20120810.")
        and "HTTP_ORIGIN" not in environ
        and _is_local(environ.get("HTTP_HOST", ""))
    )


def _is_local(host: str) -> bool:
    # A page whose name was made to lead here (DNS rebinding) still sends that name; an address is not a name.
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    with contextlib.suppress(ValueError):
        return bool(ip_address(name.strip("[]")))
    return name.lower() in _HOSTS


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open between calls

    def log(self, *_: Any) -> None:
        """Print nothing."""


def serve(port: int, address: str) -> None:
    """Serve as long as the parent lives. Containers need another ``address`` than loopback."""
    exit_with_parent(os.getppid())
    application = _Serial(create_backend_app("dynamodb"))
    server = make_server(address, port, application, threaded=True, request_handler=_Quiet)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()


if __name__ == "__main__":
    serve(int(sys.argv[1]), dict(enumerate(sys.argv)).get(2, "127.0.0.1"))
