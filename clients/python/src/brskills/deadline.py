"""A deadline for blocking calls, however slowly their bytes arrive.

httpx limits each wait for bytes but not their sum: the streams below it shorten each wait to the rest.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore
import httpx

_WRITTEN_AT_ONCE = 16_384  # bytes between two looks at the clock
_end: ContextVar[float] = ContextVar("end")


@contextmanager
def finish_within(seconds: float) -> Iterator[None]:
    """Limit all waits for the network within the block to ``seconds`` together; then a timeout is raised."""
    token = _end.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def enforce_deadlines(client: httpx.Client) -> None:
    """Make the client's transports obey `finish_within`."""
    # httpx has no public way to set it, so pyproject.toml allows only tested releases.
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx.HTTPTransport):
            pool = transport._pool
            pool._network_backend = _Backend(pool._network_backend)


def _left(timeout: float | None, failure: type[Exception]) -> float | None:
    """Return ``timeout`` or the time until the deadline, if shorter. Raise ``failure`` after it."""
    left = _end.get(float("inf")) - time.monotonic()
    if left <= 0:
        raise failure
    return timeout if timeout is not None and timeout < left else left if left != float("inf") else None


def _shortened(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of connecting, which httpcore passes by name, with the time left as ``timeout``."""
    return {**options, "timeout": _left(options.get("timeout"), httpcore.ConnectTimeout)}


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

    def start_tls(self, *args: Any, **options: Any) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(*args, **_shortened(options)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    def __init__(self, backend: httpcore.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(self, *args: Any, **options: Any) -> httpcore.NetworkStream:
        return _Stream(self._backend.connect_tcp(*args, **_shortened(options)))

    def connect_unix_socket(self, *args: Any, **options: Any) -> httpcore.NetworkStream:
        return _Stream(self._backend.connect_unix_socket(*args, **_shortened(options)))

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)
