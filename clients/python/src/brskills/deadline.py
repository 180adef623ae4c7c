"""A time by which a blocking call ends, however slowly its bytes arrive.

httpx limits each wait for bytes and not their sum. A call sets the time that all of its waits have, and the
network streams below httpx shorten each wait to what is left of it.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore
import httpx

__all__ = ["enforce_deadlines", "finish_within"]

_WRITTEN_AT_ONCE = 16_384  # bytes; the time that is left is looked at between them
_end: ContextVar[float] = ContextVar("end")


@contextmanager
def finish_within(seconds: float) -> Iterator[None]:
    """Let all waits for the network within the block take ``seconds`` together, then raise a time-out."""
    token = _end.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def enforce_deadlines(client: httpx.Client) -> None:
    """Make the client's transports obey ``finish_within``."""
    # httpx has no public way to set it, so pyproject.toml allows none but releases that were tried.
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx.HTTPTransport):
            pool = transport._pool
            pool._network_backend = _Backend(pool._network_backend)


def _left(timeout: float | None, failure: type[Exception]) -> float | None:
    """What is left of a wait of ``timeout`` seconds; raise ``failure`` if nothing is."""
    left = _end.get(float("inf")) - time.monotonic()
    if left <= 0:
        raise failure
    return timeout if timeout is not None and timeout < left else left if left != float("inf") else None


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _WRITTEN_AT_ONCE):
            part = buffer[start : start + _WRITTEN_AT_ONCE]
            self._stream.write(part, _left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    def __init__(self, backend: httpcore.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._backend.connect_tcp(host, port, left, local_address, socket_options))

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._backend.connect_unix_socket(path, left, socket_options))

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)
